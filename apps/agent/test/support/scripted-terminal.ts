import type { ChatTerminal, ReadLineOptions } from "../../src/chat/chat-terminal.ts";
import { isYes } from "../../src/terminal/is-yes.ts";

/** An answer, or what gives one when the question is there. */
export type ScriptedAnswer = string | ((question: string, signal: AbortSignal) => string | Promise<string>);

/** What a terminal can do, and what its person answers. */
export interface ScriptedTerminalOptions extends Partial<
  Pick<ChatTerminal, "isInteractive" | "canRedraw" | "columns">
> {
  /** One for each question. @default none */
  answers?: readonly ScriptedAnswer[];
}

/** A terminal without a screen, whose person answers from a script; after its end the input has ended. */
export interface ScriptedTerminal extends ChatTerminal {
  columns: number;
  /** Everything that stays, as it would stand there; without questions. */
  readonly text: string;
  /** What stands below it at the moment. */
  readonly live: readonly string[];
  /** How often that was replaced. */
  readonly redraws: number;
  /** All that was shown, piece by piece, questions included. */
  readonly shown: readonly string[];
  readonly asked: readonly { question: string; options: ReadLineOptions }[];
  /** Whether more was asked than the script has answers to. */
  hasEnded(): boolean;
}

/** Answers that wait until the question is withdrawn. */
export function untilWithdrawn(then: () => void = () => {}): ScriptedAnswer {
  return (_question, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      then();
    });
}

/** Makes a terminal; on one of 80 columns that can be written over somebody sits who answers nothing. */
export function createScriptedTerminal({ answers = [], ...abilities }: ScriptedTerminalOptions = {}): ScriptedTerminal {
  const rest = [...answers];
  const shown: string[] = [];
  const asked: { question: string; options: ReadLineOptions }[] = [];
  let text = "";
  let live: readonly string[] = [];
  let redraws = 0;
  let last: Promise<unknown> = Promise.resolve();
  let hasEnded = false;
  const answer = async (question: string, signal: AbortSignal, options: ReadLineOptions): Promise<string> => {
    signal.throwIfAborted();
    shown.push(question);
    asked.push({ question, options });
    const next = rest.shift();
    if (next === undefined) hasEnded = true;
    return typeof next === "function" ? next(question, signal) : (next ?? "");
  };
  const readLine: ChatTerminal["readLine"] = (question, signal, options = {}) => {
    const turn = last.then(() => answer(question, signal, options));
    last = turn.catch(() => {});
    return turn;
  };
  return {
    isInteractive: true,
    canRedraw: true,
    columns: 80,
    ...abilities,
    get text() {
      return text;
    },
    get live() {
      return live;
    },
    get redraws() {
      return redraws;
    },
    shown,
    asked,
    hasEnded: () => hasEnded,
    print(lines) {
      if (lines === "") return;
      shown.push(lines);
      text += lines.endsWith("\n") ? lines : `${lines}\n`;
    },
    write(piece) {
      shown.push(piece);
      text += piece;
    },
    showLive(lines) {
      live = lines;
      redraws += 1;
    },
    readLine,
    confirm: async (question, signal) => isYes(await readLine(question, signal)),
  };
}
