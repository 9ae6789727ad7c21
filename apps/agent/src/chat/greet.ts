import type { CommandContext } from "../mcp-commands/command-context.ts";
import { describeFailure } from "../mcp-commands/describe-failure.ts";
import { runMCPCommand } from "../mcp-commands/run-mcp-command.ts";
import type { AgentSession } from "../session/agent-session.ts";
import type { PathPlaces } from "../terminal/format.ts";
import { formatCount } from "../terminal/format.ts";
import { sanitizeLine } from "../terminal/sanitize-text.ts";
import { OFFLINE_HINT } from "./chat-help.ts";
import type { ChatTerminal } from "./chat-terminal.ts";
import { printWrapped } from "./print-wrapped.ts";
import { statusLineOf } from "./status-line.ts";

/** What a chat begins with. */
export interface GreetingOptions {
  session: AgentSession;
  terminal: ChatTerminal;
  places: PathPlaces;
  createContext: (signal: AbortSignal) => CommandContext;
  /** How much of the configuration could not be used. */
  warnings: number;
  /** Whether no model answers. */
  isOffline: boolean;
}

/** Says how things stand at the begin of a chat, and asks about servers that wait for an approval. */
export async function greet(
  { session, terminal, places, createContext, warnings, isOffline }: GreetingOptions,
  signal: AbortSignal,
): Promise<void> {
  const say = (text: string): void => printWrapped(terminal, text);
  const servers = session.mcpManager?.describeServers() ?? [];
  // Where a person types it stands above the prompt.
  if (!terminal.isInteractive) terminal.print(statusLineOf(session));
  for (const server of servers) if (server.status === "failed") say(describeFailure(server, places));
  if (warnings > 0) say(`! ${formatCount(warnings, "warning")}: /mcp doctor`);
  if (isOffline) say(OFFLINE_HINT);
  const waiting = servers.filter(({ status }) => status === "needs-approval").map(({ name }) => name);
  if (waiting.length === 0) return;
  if (!terminal.isInteractive) {
    const names = waiting.map(sanitizeLine).join(", ");
    say(`! ${names}: declared by this project and not approved yet: /mcp trust`);
    return;
  }
  const { text } = await runMCPCommand({ name: "trust", servers: [], revoke: false }, createContext(signal));
  terminal.print(text);
}
