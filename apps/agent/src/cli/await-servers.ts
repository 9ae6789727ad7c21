import type { MCPManager, ServerDescription } from "@toolgate/mcp-manager";

import type { AgentSession } from "../session/agent-session.ts";
import { sanitizeText } from "../terminal/sanitize-text.ts";
import type { PromptArguments } from "./parse-arguments.ts";

/** A server without which a prompt fails, and why it is not there. */
interface MissingServer {
  name: string;
  reason: string;
  /** Whether somebody has to approve it or sign in first. */
  needsPerson: boolean;
}

/** Which of the servers that a prompt goes without is worth a word. */
export interface AwaitedServers {
  /** For people, one text each. */
  warnings: string[];
  /** Of the servers that are required, the first that is not there. */
  missing?: MissingServer;
}

/**
 * Waits for the servers that a prompt's tools need: those whose tools nobody knows yet, and those that are required. A
 * tool that is known from an earlier session waits for its server itself. Bounded by `--mcp-timeout`; never rejects but
 * for an abort.
 */
export async function awaitServers(
  session: AgentSession,
  { require: required, mcpTimeoutMs, options }: PromptArguments,
  signal: AbortSignal,
): Promise<AwaitedServers> {
  const { mcpManager: manager } = session;
  if (manager === undefined) return { warnings: [] };
  // Who names a moment for going on means it, but for what the prompt cannot do without.
  const goesOn = options.startupTimeoutMs !== undefined;
  const pending = manager
    .describeServers()
    .filter((server) => isPending(server) && (required.includes(server.name) || (!server.cached && !goesOn)))
    .map(({ name }) => name);
  await waitUntilSettled(manager, pending, { signal, timeoutMs: mcpTimeoutMs });
  signal.throwIfAborted();
  await session.refreshMCPTools(manager.getTools());
  const servers = manager.describeServers();
  const warnings = pending.flatMap((name) => {
    const server = servers.find((each) => each.name === name);
    if (server === undefined || isReady(server)) return [];
    return [`${name} is missing: ${reasonOf(server, mcpTimeoutMs)}`];
  });
  for (const name of required) {
    const server = servers.find((each) => each.name === name);
    if (server !== undefined && isReady(server)) continue;
    const needsPerson = server?.status === "needs-approval" || server?.status === "needs-auth";
    const reason = server === undefined ? "no source has a server of this name" : reasonOf(server, mcpTimeoutMs);
    return { warnings, missing: { name, reason, needsPerson } };
  }
  return { warnings };
}

/** A timer that is longer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Resolves when none of the servers is on its way any more, after the time that there is, or with the signal. */
function waitUntilSettled(
  manager: MCPManager,
  names: readonly string[],
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): Promise<void> {
  const isWaiting = (): boolean =>
    manager.describeServers().some((server) => names.includes(server.name) && isPending(server));
  if (signal.aborted || !isWaiting()) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      stopFollowing();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(timeoutMs, LONGEST_TIMER_MS));
    const stopFollowing = manager.subscribe(() => {
      if (!isWaiting()) end();
    });
    signal.addEventListener("abort", end);
  });
}

function isPending({ timeline }: ServerDescription): boolean {
  return timeline.endedAt === undefined;
}

function isReady(server: ServerDescription): boolean {
  return server.status === "connected" && !isPending(server);
}

function reasonOf(server: ServerDescription, mcpTimeoutMs: number): string {
  if (isPending(server)) return `it was not ready within ${mcpTimeoutMs} ms (--mcp-timeout)`;
  return server.error === undefined ? `it is ${server.status}` : sanitizeText(server.error.message);
}
