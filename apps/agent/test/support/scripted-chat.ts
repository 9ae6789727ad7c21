import type { Chat } from "../../src/chat/chat.ts";
import type { UserMessage } from "../../src/session/agent-model.ts";
import type { AgentSession } from "../../src/session/agent-session.ts";
import { createAgentSession } from "../../src/session/create-agent-session.ts";
import { createBareChat } from "./bare-chat.ts";
import type { Scratch } from "./scratch.ts";
import { scriptedModel } from "./scripted-model.ts";
import { createScriptedTerminal } from "./scripted-terminal.ts";

/** A chat without a terminal, with a model that says nothing. */
export interface ScriptedChat extends AsyncDisposable {
  chat: Chat;
  session: AgentSession;
  /** Carries a line out; gives what is shown beside questions. */
  enter(line: string): Promise<string[]>;
  /** What the model was told by the person, prompt by prompt. */
  prompts(): UserMessage[];
  /** What the person was asked. */
  readonly questions: readonly string[];
}

/**
 * Opens a chat with the servers of a scratch project.
 *
 * @param answers - What a person answers to questions; nobody is there without.
 */
export async function openScriptedChat(scratch: Scratch, answers?: readonly string[]): Promise<ScriptedChat> {
  const model = scriptedModel([]);
  const { session } = await createAgentSession({ ...scratch.session, model });
  const terminal = createScriptedTerminal({ isInteractive: answers !== undefined, answers: answers ?? [] });
  const chat = createBareChat({ session, terminal, model, cwd: scratch.project });
  const questions = (): string[] => terminal.asked.map(({ question }) => question);
  return {
    chat,
    session,
    async enter(line) {
      const before = terminal.shown.length;
      await chat.handle(line);
      return terminal.shown.slice(before).filter((text) => !questions().includes(text));
    },
    prompts: () =>
      model.requests.flatMap(({ messages }) => {
        const last = messages.at(-1);
        return last?.role === "user" ? [last] : [];
      }),
    get questions() {
      return questions();
    },
    [Symbol.asyncDispose]: () => session.dispose(),
  };
}
