import type { ChatTerminal, ReadLineOptions } from "../../src/chat/chat-terminal.ts";

/** An answer, or what gives one when the question is there. */
export type ScriptedAnswer = string | ((question: string, signal: AbortSignal) => string | Promise<string>);

/** A terminal whose person answers from a script; after its end the input has ended. */
export interface ScriptedTerminal extends ChatTerminal {
  /** All that was shown, questions included. */
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

/** Makes a terminal whose answers are given, one for each question. */
export function scriptedTerminal(answers: readonly ScriptedAnswer[]): ScriptedTerminal {
  const rest = [...answers];
  const shown: string[] = [];
  const asked: { question: string; options: ReadLineOptions }[] = [];
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
    canRedraw: false,
    columns: 100,
    shown,
    asked,
    hasEnded: () => hasEnded,
    print: (text) => void (text === "" || shown.push(text)),
    write: (text) => void shown.push(text),
    showLive: () => {},
    readLine,
    confirm: async (question, signal) => /^y(es)?$/i.test(await readLine(question, signal)),
  };
}
