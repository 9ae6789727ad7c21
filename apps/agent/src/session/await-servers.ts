import type { MCPManager, ServerDescription } from "@toolgate/mcp-manager";
import { createMcpToolName } from "@toolgate/mcp-manager";

import { LONGEST_TIMER_MS } from "../cancellation/time-limit.ts";

/** Milliseconds that a prompt waits at most for servers whose tools nobody knows yet. */
export const WAIT_FOR_SERVERS_MS = 10_000;

/** How long servers are waited for. */
export interface WaitForServersOptions {
  signal?: AbortSignal | undefined;
  /** Milliseconds. @default without end: each start has time limits of its own */
  timeoutMs?: number;
}

/** Whether a server's start has not come to its end: its tools may change with that. */
export function isStarting({ timeline }: ServerDescription): boolean {
  return timeline.endedAt === undefined;
}

/** Whether nobody can say which tools a server has, not even from an earlier session, and it is about to tell. */
export function hasUnknownTools(server: ServerDescription): boolean {
  return isStarting(server) && server.tools === 0 && server.timeline.cachedToolsAt === undefined;
}

/**
 * The servers that a prompt has to wait for. Of those whose tools nobody knows yet: the ones that it names, or all, since
 * nobody can know whether it needs them. Cached tools can be offered at once; their calls wait for the server themselves.
 */
export function serversToAwait(text: string, servers: readonly ServerDescription[]): string[] {
  const named = servers.filter(({ name }) => isNamed(name, text));
  return (named.length === 0 ? servers : named).filter(hasUnknownTools).map(({ name }) => name);
}

/** Resolves when none of the servers is starting any more, after the time that there is, or with the signal. Never rejects. */
export function waitForServers(
  manager: MCPManager,
  names: readonly string[],
  { signal, timeoutMs = Number.POSITIVE_INFINITY }: WaitForServersOptions = {},
): Promise<void> {
  const isWaiting = (): boolean =>
    manager.describeServers().some((server) => names.includes(server.name) && isStarting(server));
  if (signal?.aborted === true || timeoutMs <= 0 || !isWaiting()) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      stopFollowing();
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(timeoutMs, LONGEST_TIMER_MS));
    const stopFollowing = manager.subscribe(() => {
      if (!isWaiting()) end();
    });
    signal?.addEventListener("abort", end);
  });
}

/** Whether a text names a server: as a word, as in `@server:uri` and `server.tool`, or by the name of one of its tools. */
function isNamed(server: string, text: string): boolean {
  if (text.includes(createMcpToolName(server, "x").replace(/x$/, "")) || text.includes(`mcp__${server}__`)) return true;
  const escaped = server.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}_-])${escaped}(?![\p{L}\p{N}_-])`, "iu").test(text);
}
