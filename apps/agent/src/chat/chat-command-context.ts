import type { Host } from "../cli/host.ts";
import type { CommandContext } from "../mcp-commands/command-context.ts";
import { createSessionAccess } from "../mcp-commands/server-access.ts";
import type { AgentSession } from "../session/agent-session.ts";
import type { Style } from "../terminal/style.ts";
import type { LineTerminal } from "./input/line-terminal.ts";
import { printWrapped } from "./print-wrapped.ts";

/** Where the commands of a chat are carried out. */
export interface ChatPlace {
  host: Host;
  session: AgentSession;
  terminal: LineTerminal;
  /** The styles of the terminal. */
  style: Style;
}

/** Gives what makes the context of one command of a chat, which the signal ends. */
export function commandContextOf({
  host,
  session,
  terminal,
  style,
}: ChatPlace): (signal: AbortSignal) => CommandContext {
  const manager = session.mcpManager;
  if (manager === undefined) throw new TypeError("A chat needs a session with servers.");
  return (signal) => ({
    cwd: host.cwd,
    home: host.home,
    env: host.env,
    platform: host.platform,
    settingsWarnings: host.settingsWarnings,
    providers: host.providers,
    servers: createSessionAccess(manager, () => host.loadOptions()),
    session,
    trust: host.trust,
    credentials: host.credentials,
    logs: host.logs,
    notify: (text) => printWrapped(terminal, text),
    emit: (text) => terminal.print(text),
    style,
    width: terminal.columns,
    prefix: "/mcp",
    signal,
    now: () => Date.now(),
    // Standard input belongs to the chat: its next lines are what is read.
    readInput: () => terminal.readBlock(signal),
    ...(terminal.isInteractive
      ? {
          confirm: (question: string) => terminal.confirm(question, signal),
          readLine: (question: string, answered: AbortSignal) =>
            terminal.readLine(question, AbortSignal.any([signal, answered])),
          readSecret: (question: string, answered: AbortSignal) =>
            terminal.readLine(question, AbortSignal.any([signal, answered]), { secret: true }),
        }
      : {}),
  });
}
