import type { AppContext } from "../cli/app-context.ts";
import { chooseHostModel } from "../cli/choose-host-model.ts";
import { writeText } from "../cli/command-line-io.ts";
import { createHost } from "../cli/host.ts";
import type { Host } from "../cli/host.ts";
import { hostFailure } from "../cli/run-mcp.ts";
import { createStderrLogger } from "../cli/stderr-logger.ts";
import type { ChosenModel } from "../model/choose-model.ts";
import { narrowTools } from "../model/narrow-tools.ts";
import { createChatRequests } from "../server-requests/create-chat-requests.ts";
import type { AgentSession } from "../session/agent-session.ts";
import { followStart } from "../state/follow-start.ts";
import { createInputHistory } from "../state/input-history.ts";
import { createStartStore } from "../state/start-store.ts";
import { createStyle } from "../terminal/style.ts";
import { commandContextOf } from "./chat-command-context.ts";
import { Chat } from "./chat.ts";
import { greet } from "./greet.ts";
import { LineTerminal } from "./input/line-terminal.ts";
import type { LineCompleter } from "./input/tab-completion.ts";
import { ModelSwitch } from "./model-switch.ts";
import { printWrapped } from "./print-wrapped.ts";
import { createChatApproval, startChatSession } from "./start-chat-session.ts";
import { statusLineOf } from "./status-line.ts";
import { ToolNews } from "./tool-news.ts";

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
  const { io, options, signal, trustsProject = false } = context;
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
  let complete: LineCompleter | undefined;
  const style = createStyle({ env: io.env, isTTY: io.stdout.isTTY });
  const history = createInputHistory({ ...host, project: host.cwd });
  const terminal = new LineTerminal(io, {
    prompt: "› ",
    completer: async (line) => {
      // Not before somebody presses Tab.
      const { createCompleter } = await import("./completion/create-completer.ts");
      if (session !== undefined) complete ??= createCompleter(session, host);
      return complete === undefined ? [[], line] : complete(line);
    },
    onInterrupt: () => {
      if (requests?.cancelCurrent() !== true && chat?.interrupt() !== true) terminal.close();
    },
    onEscape: () => void chat?.interrupt(),
    isPlain: options.plain === true || (io.env["TOOLGATE_PLAIN"] ?? "") !== "",
    history: await history.load(),
    remember: (input) => history.add(input),
  });
  const { isInteractive } = terminal;
  // What servers ask of the person and of the model, where there is a person.
  const requests = isInteractive ? createChatRequests({ terminal, io, style, model: () => session?.model }) : undefined;
  const onAbort = (): void => {
    chat?.interrupt();
    terminal.close();
  };
  signal.addEventListener("abort", onAbort, { once: true });
  let stopFollowing: (() => void) | undefined;
  let news: ToolNews | undefined;
  let endRecording: (() => Promise<void>) | undefined;
  try {
    // The tour's servers are the tour's own.
    if (!trustsProject && !(await mayStartServers(host, terminal, signal))) return 0;
    const approval = createChatApproval(host, terminal);
    const model = narrowTools(chosen.model, options.tools);
    const started = await startChatSession(host, { approval, model, isInteractive, trustsProject, requests });
    const current = started.session;
    session = current;
    const createContext = commandContextOf({ host, session, terminal, style });
    chat = new Chat({
      session,
      approval,
      createContext,
      terminal,
      style,
      models: new ModelSwitch(chosen, {
        session,
        choose: (named) => chooseHostModel({ ...host, options: { ...host.options, model: named } }, signal, "/model"),
        tools: options.tools,
      }),
      cwd: host.cwd,
    });
    const showStatus = (): void => terminal.setStatus(statusLineOf(current));
    const manager = session.mcpManager;
    stopFollowing = manager?.subscribe(showStatus);
    if (manager !== undefined) {
      news = new ToolNews({ session, manager, places: host, print: (text) => printWrapped(terminal, text) });
      const store = createStartStore(host);
      endRecording = followStart(manager, { command: "chat", cwd: host.cwd, store, logger: host.logger });
    }
    const warnings = started.warnings.length;
    await greet({ session, terminal, places: host, createContext, warnings, isOffline: chosen.isOffline }, signal);
    showStatus();
    for await (const line of terminal.lines()) {
      // Lines that came before a signal are not carried out after it.
      if (signal.aborted || !(await handleLine(line, chat, news))) break;
      showStatus();
    }
    return 0;
  } finally {
    signal.removeEventListener("abort", onAbort);
    stopFollowing?.();
    news?.stop();
    terminal.close();
    await history.settle();
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

/** Asks at the first run which servers of other clients are to be started. */
async function mayStartServers(host: Host, terminal: LineTerminal, signal: AbortSignal): Promise<boolean> {
  if (!terminal.isInteractive) return true;
  const { chooseAtFirstRun } = await import("../first-run/choose-at-first-run.ts");
  return chooseAtFirstRun({
    host,
    width: terminal.columns,
    readLine: (question) => terminal.readLine(question, signal),
    hasEnded: () => terminal.isClosed,
  });
}
