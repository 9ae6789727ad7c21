import type { Approval } from "../approval/create-approval.ts";
import { createApproval } from "../approval/create-approval.ts";
import { createRememberedTools } from "../approval/remembered-tools.ts";
import type { AppContext } from "../cli/app-context.ts";
import { chooseHostModel } from "../cli/choose-host-model.ts";
import { writeText } from "../cli/command-line-io.ts";
import { createHost } from "../cli/host.ts";
import type { Host } from "../cli/host.ts";
import { hostFailure } from "../cli/run-mcp.ts";
import { createStderrLogger } from "../cli/stderr-logger.ts";
import type { CommandContext } from "../mcp-commands/command-context.ts";
import { describeMCPCommands } from "../mcp-commands/describe-commands.ts";
import { runMCPCommand } from "../mcp-commands/run-mcp-command.ts";
import { createSessionAccess } from "../mcp-commands/server-access.ts";
import type { ChosenModel } from "../model/choose-model.ts";
import { narrowTools } from "../model/narrow-tools.ts";
import type { AgentModel } from "../session/agent-model.ts";
import type { AgentSession } from "../session/agent-session.ts";
import { createAgentSession } from "../session/create-agent-session.ts";
import { followStart } from "../state/follow-start.ts";
import { createStartStore } from "../state/start-store.ts";
import { formatCount } from "../terminal/format.ts";
import { sanitizeLine, sanitizeText } from "../terminal/sanitize-text.ts";
import { createStyle } from "../terminal/style.ts";
import { CHAT_COMMANDS, OFFLINE_HINT } from "./chat-help.ts";
import { Chat } from "./chat.ts";
import { completeInput } from "./complete-input.ts";
import { LineTerminal } from "./line-terminal.ts";
import { ModelSwitch } from "./model-switch.ts";
import { statusLineOf } from "./status-line.ts";
import { ToolNews } from "./tool-news.ts";

const DEFAULT_WIDTH = 100;

/** What the chat may be told beside the command line. */
export interface ChatContext extends AppContext {
  /** Whether the servers of the project run without approval. @default false */
  trustsProject?: boolean;
}

/**
 * The chat in the terminal: prompts for the model when there is one, a shell for tools in any case. Ends its servers
 * before it returns.
 *
 * @returns the exit status
 */
export async function runChat(context: ChatContext): Promise<number> {
  const { io, options, signal } = context;
  let host: Host;
  let chosen: ChosenModel;
  try {
    host = await createHost(options, io, createStderrLogger(io.stderr, io.env));
    chosen = await chooseHostModel(host, signal);
  } catch (error) {
    const { text, exitStatus } = hostFailure(error);
    await writeText(io.stderr, `${text}\n`);
    return exitStatus;
  }
  let session: AgentSession | undefined;
  let chat: Chat | undefined;
  const terminal = new LineTerminal(io, {
    prompt: "› ",
    completer: (line: string) =>
      session === undefined ? [[], line] : completeInput(line, completionSource(session, host)),
    onInterrupt: () => {
      if (chat?.interrupt() !== true) terminal.close();
    },
  });
  const onAbort = (): void => {
    chat?.interrupt();
    terminal.close();
  };
  signal.addEventListener("abort", onAbort, { once: true });
  let news: ToolNews | undefined;
  let endRecording: (() => Promise<void>) | undefined;
  try {
    if (!(await mayStartServers({ host, context, terminal }))) return 0;
    const approval = approvalOf(host, terminal);
    const started = await startSession(host, context, { approval, model: narrowTools(chosen.model, options.tools) });
    ({ session } = started);
    const createContext = commandContextOf({ host, session, context, terminal });
    chat = new Chat({
      session,
      approval,
      createContext,
      print: (text) => terminal.print(text),
      stream: (text) => io.stdout.write(text),
      models: new ModelSwitch(chosen, {
        session,
        choose: (named) => chooseHostModel({ ...host, options: { ...host.options, model: named } }, signal, "/model"),
        tools: options.tools,
      }),
    });
    const manager = session.mcpManager;
    if (manager !== undefined) {
      news = new ToolNews({ session, manager, print: (text) => terminal.print(text) });
      const store = createStartStore(host);
      endRecording = followStart(manager, { command: "chat", cwd: host.cwd, store, logger: host.logger });
    }
    const warnings = started.warnings.length;
    await greet({ session, terminal, createContext, warnings, isOffline: chosen.isOffline }, signal);
    for await (const line of terminal.lines()) {
      // Lines that came before a signal are not carried out after it.
      if (signal.aborted || !(await handleLine(line, chat, news))) break;
    }
    return 0;
  } finally {
    signal.removeEventListener("abort", onAbort);
    news?.stop();
    terminal.close();
    await endRecording?.();
    await host.logs.finish(session?.mcpManager?.describeServers() ?? []);
    await session?.dispose();
  }
}

/** Carries a line out; what a command does to the tools it says itself. */
function handleLine(line: string, chat: Chat, news: ToolNews | undefined): Promise<boolean> {
  const isCommand = line.trimStart().startsWith("/");
  return news === undefined || !isCommand ? chat.handle(line) : news.during(() => chat.handle(line));
}

/** Asks at the first run which servers of other clients are to be started. The tour's servers are the tour's own. */
async function mayStartServers({
  host,
  context: { io, signal, trustsProject = false },
  terminal,
}: {
  host: Host;
  context: ChatContext;
  terminal: LineTerminal;
}): Promise<boolean> {
  if (trustsProject || !terminal.isInteractive) return true;
  const { chooseAtFirstRun } = await import("../first-run/choose-at-first-run.ts");
  return chooseAtFirstRun({
    host,
    width: io.stdout.columns ?? DEFAULT_WIDTH,
    readLine: (question) => terminal.readLine(question, signal),
    hasEnded: () => terminal.isClosed,
  });
}

function approvalOf(host: Host, terminal: LineTerminal): Approval {
  const { mode, rules } = host.approval;
  return createApproval({
    ...(mode === undefined ? {} : { mode }),
    rules,
    remembered: createRememberedTools({ ...host, project: host.cwd }),
    ...(terminal.isInteractive ? { ask: (question, signal) => terminal.readLine(question, signal) } : {}),
  });
}

async function startSession(
  host: Host,
  { io, trustsProject = false }: ChatContext,
  { approval: { mayRun, approveOutside }, model }: { approval: Approval; model: AgentModel },
): ReturnType<typeof createAgentSession> {
  const isInteractive = io.stdin.isTTY && io.stdout.isTTY;
  // The prompt comes first, and servers come in while the person types.
  const fallback = isInteractive ? 0 : undefined;
  const startupTimeoutMs = host.options.startupTimeoutMs ?? host.settings.mcp.startupTimeoutMs ?? fallback;
  return createAgentSession({
    cwd: host.cwd,
    home: host.home,
    env: host.env,
    platform: host.platform,
    logger: host.logger,
    discoveryOptions: () => host.loadOptions(),
    model,
    mayRun,
    nativeTools: host.settings.tools?.native !== false && { approveOutside },
    mcp: {
      ...(await host.managerOptions()),
      ...(trustsProject ? { approve: () => true } : {}),
      ...(startupTimeoutMs === undefined ? {} : { startupTimeoutMs }),
      // A prompt of the model waits for those that it may need. The lines of a pipe come at once, and are about tools
      // that have to be there.
      uncachedPending: isInteractive ? "defer" : "wait",
    },
  });
}

interface ChatRoom {
  session: AgentSession;
  terminal: LineTerminal;
  createContext: (signal: AbortSignal) => CommandContext;
  /** How much of the configuration could not be used. */
  warnings: number;
  /** Whether no model answers. */
  isOffline: boolean;
}

async function greet(
  { session, terminal, createContext, warnings, isOffline }: ChatRoom,
  signal: AbortSignal,
): Promise<void> {
  const servers = session.mcpManager?.describeServers() ?? [];
  terminal.print(statusLineOf(session));
  for (const { name, error } of servers.filter(({ status }) => status === "failed")) {
    terminal.print(`✗ ${sanitizeLine(name)}: ${sanitizeText(error?.message ?? "failed")}`);
  }
  if (warnings > 0) terminal.print(`! ${formatCount(warnings, "warning")}: /mcp doctor`);
  if (isOffline) terminal.print(OFFLINE_HINT);
  const waiting = servers.filter(({ status }) => status === "needs-approval").map(({ name }) => name);
  if (waiting.length === 0) return;
  if (!terminal.isInteractive) {
    terminal.print(
      `! ${waiting.map(sanitizeLine).join(", ")}: declared by this project and not approved yet: /mcp trust`,
    );
    return;
  }
  const { text } = await runMCPCommand({ name: "trust", servers: [], revoke: false }, createContext(signal));
  terminal.print(text);
}

function commandContextOf(room: {
  host: Host;
  session: AgentSession;
  context: ChatContext;
  terminal: LineTerminal;
}): (signal: AbortSignal) => CommandContext {
  const { host, session, terminal, context } = room;
  const { io } = context;
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
    notify: (text) => terminal.print(text),
    emit: (text) => terminal.print(text),
    style: createStyle({ env: io.env, isTTY: io.stdout.isTTY }),
    width: io.stdout.columns ?? DEFAULT_WIDTH,
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
        }
      : {}),
  });
}

function completionSource(session: AgentSession, { providers }: Host): Parameters<typeof completeInput>[1] {
  return {
    commands: CHAT_COMMANDS.map(({ name }) => name),
    mcpCommands: describeMCPCommands(),
    clients: providers.map(({ id }) => id),
    servers: () => session.mcpManager?.describeServers().map(({ name }) => name) ?? [],
    tools: () => session.tools.active().map(({ name }) => name),
  };
}
