import type { ServerDescription } from "@toolgate/mcp-manager";

import type { AgentSession } from "../session/agent-session.ts";
import { hasUnknownTools, isStarting, waitForServers } from "../session/await-servers.ts";
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
 * tool that is known from an earlier session waits for its server itself. What the text names makes no difference: there
 * is no later turn that a server could join. Bounded by `--mcp-timeout`; never rejects but for an abort.
 */
export async function awaitPromptServers(
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
    .filter((server) => (required.includes(server.name) ? isStarting(server) : !goesOn && hasUnknownTools(server)))
    .map(({ name }) => name);
  await waitForServers(manager, pending, { signal, timeoutMs: mcpTimeoutMs });
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

function isReady(server: ServerDescription): boolean {
  return server.status === "connected" && !isStarting(server);
}

function reasonOf(server: ServerDescription, mcpTimeoutMs: number): string {
  if (isStarting(server)) return `it was not ready within ${mcpTimeoutMs} ms (--mcp-timeout)`;
  return server.error === undefined ? `it is ${server.status}` : sanitizeText(server.error.message);
}
