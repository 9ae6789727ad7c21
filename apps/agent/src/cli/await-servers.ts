import type { AgentSession } from "../session/agent-session.ts";
import { sanitizeText } from "../terminal/sanitize-text.ts";
import type { PromptArguments } from "./parse-arguments.ts";

/** A server without which a prompt fails, and why it is not there. */
export interface MissingServer {
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
  const describe = (): ReturnType<NonNullable<AgentSession["mcpManager"]>["describeServers"]> =>
    session.mcpManager?.describeServers() ?? [];
  // Who names a moment for going on means it, but for what the prompt cannot do without.
  const goesOn = options.startupTimeoutMs !== undefined;
  const pending = describe().filter(
    ({ name, status, cached }) => status === "connecting" && (required.includes(name) || (!cached && !goesOn)),
  );
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(mcpTimeoutMs)]);
  await Promise.allSettled(pending.map(({ name }) => session.waitForMCPServer(name, { signal: bounded })));
  signal.throwIfAborted();
  const servers = describe();
  const warnings = pending.flatMap(({ name }) => {
    const server = servers.find((each) => each.name === name);
    if (server === undefined || server.status === "connected") return [];
    return [`${name} is missing: ${reasonOf(server, mcpTimeoutMs)}`];
  });
  for (const name of required) {
    const server = servers.find((each) => each.name === name);
    if (server?.status === "connected") continue;
    const needsPerson = server?.status === "needs-approval" || server?.status === "needs-auth";
    const reason = server === undefined ? "no source has a server of this name" : reasonOf(server, mcpTimeoutMs);
    return { warnings, missing: { name, reason, needsPerson } };
  }
  return { warnings };
}

function reasonOf({ status, error }: { status: string; error?: { message: string } }, mcpTimeoutMs: number): string {
  if (status === "connecting") return `it did not connect within ${mcpTimeoutMs} ms (--mcp-timeout)`;
  return error === undefined ? `it is ${status}` : sanitizeText(error.message);
}
