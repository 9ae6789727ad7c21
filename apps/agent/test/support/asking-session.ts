import type { ServerRequests } from "../../src/server-requests/create-server-request-handlers.ts";
import { createServerRequestHandlers } from "../../src/server-requests/create-server-request-handlers.ts";
import type { AgentModel } from "../../src/session/agent-model.ts";
import type { AgentSession } from "../../src/session/agent-session.ts";
import { createAgentSession } from "../../src/session/create-agent-session.ts";
import { plainStyle } from "../../src/terminal/style.ts";
import type { Json } from "./run-toolgate.ts";
import { createScratch } from "./scratch.ts";
import type { ScriptedAnswer, ScriptedTerminal } from "./scripted-terminal.ts";
import { createScriptedTerminal } from "./scripted-terminal.ts";

/** A session with a server that asks, and a person who answers from a script. */
export interface AskingSession extends AsyncDisposable {
  session: AgentSession;
  terminal: ScriptedTerminal;
  requests: ServerRequests;
  /** Addresses that were opened. */
  opened: readonly string[];
  /** Where the server writes what it receives. */
  logFile: string;
  /** Lets the server ask for a form; gives the answer that it got. */
  ask(params: object, signal?: AbortSignal): Promise<Json>;
  /** Lets the server ask for an answer of the model. */
  sample(params: object, signal?: AbortSignal): Promise<Json>;
}

/** Makes a session with one server, `one`. */
export async function createAskingSession(
  answers: readonly ScriptedAnswer[],
  model?: AgentModel,
): Promise<AskingSession> {
  const scratch = await createScratch();
  const terminal = createScriptedTerminal({ answers, canRedraw: false, columns: 100 });
  const opened: string[] = [];
  let session: AgentSession | undefined;
  const requests = createServerRequestHandlers({
    terminal,
    hasEnded: () => terminal.hasEnded(),
    model: () => session?.model,
    style: plainStyle,
    openPage: (url) => Promise.resolve(void opened.push(url)),
  });
  const logFile = scratch.file("messages.log");
  await scratch.userServers({ one: { asks: true, logFile } });
  ({ session } = await createAgentSession({
    ...scratch.session,
    ...(model === undefined ? {} : { model }),
    mcp: { ...requests.handlers, startupTimeoutMs: 30_000 },
  }));
  const call = async (tool: string, params: object, signal?: AbortSignal): Promise<Json> => {
    const found = session.tools.get(`mcp_one_${tool}`);
    if (found === undefined) throw new Error(`there is no ${tool}`);
    const result = await found.execute({ ...params }, signal === undefined ? {} : { signal });
    const [block] = result.content;
    return block?.type === "text" ? JSON.parse(block.text) : undefined;
  };
  return {
    session,
    terminal,
    requests,
    opened,
    logFile,
    ask: (params, signal) => call("ask", params, signal),
    sample: (params, signal) => call("sample", params, signal),
    async [Symbol.asyncDispose]() {
      await session.dispose();
      await scratch[Symbol.asyncDispose]();
    },
  };
}

/** The params of a form with these fields. */
export function formOf(properties: object, required: readonly string[] = []): object {
  return { message: "Which one?", requestedSchema: { type: "object", properties, required } };
}
