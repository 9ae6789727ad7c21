import { createApproval } from "../../src/approval/create-approval.ts";
import { Chat } from "../../src/chat/chat.ts";
import { ModelSwitch } from "../../src/chat/model-switch.ts";
import type { UserMessage } from "../../src/session/agent-model.ts";
import type { AgentSession } from "../../src/session/agent-session.ts";
import { createAgentSession } from "../../src/session/create-agent-session.ts";
import { plainStyle } from "../../src/terminal/style.ts";
import { createRecordingTerminal } from "./recording-terminal.ts";
import type { Scratch } from "./scratch.ts";
import { scriptedModel } from "./scripted-model.ts";

/** A chat without a terminal, with a model that says nothing. */
export interface ScriptedChat extends AsyncDisposable {
  chat: Chat;
  session: AgentSession;
  /** Carries a line out; gives what is shown. */
  enter(line: string): Promise<string[]>;
  /** What the model was told by the person, prompt by prompt. */
  prompts(): UserMessage[];
  /** What the person was asked. */
  questions: readonly string[];
}

/**
 * Opens a chat with the servers of a scratch project.
 *
 * @param answers - What a person answers to questions; nobody is there without.
 */
export async function openScriptedChat(scratch: Scratch, answers?: string[]): Promise<ScriptedChat> {
  const model = scriptedModel([]);
  const { session } = await createAgentSession({ ...scratch.session, model });
  const shown: string[] = [];
  const questions: string[] = [];
  const chat = new Chat({
    session,
    approval: createApproval({ rules: { allow: [], ask: [], deny: [] } }),
    createContext: () => {
      throw new Error("no commands here");
    },
    terminal: {
      ...createRecordingTerminal({ isInteractive: answers !== undefined }),
      print(text) {
        if (text !== "") shown.push(text);
      },
      async readLine(question) {
        questions.push(question);
        return answers?.shift() ?? "";
      },
    },
    style: plainStyle,
    models: new ModelSwitch(
      { model, reason: "for a test", isOffline: false },
      { session, choose: () => Promise.reject(new Error("no other model here")), tools: undefined },
    ),
    cwd: scratch.project,
  });
  return {
    chat,
    session,
    async enter(line) {
      shown.length = 0;
      await chat.handle(line);
      return [...shown];
    },
    prompts: () =>
      model.requests.flatMap(({ messages }) => {
        const last = messages.at(-1);
        return last?.role === "user" ? [last] : [];
      }),
    questions,
    [Symbol.asyncDispose]: () => session.dispose(),
  };
}
