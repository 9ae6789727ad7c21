import { abortable } from "../../cancellation/abortable.ts";
import type { CommandLineIO } from "../../cli/command-line-io.ts";
import { isYes } from "../../terminal/is-yes.ts";
import { keepStyles } from "../../terminal/keep-styles.ts";
import { BLOCK_HINT, readBlock } from "../../terminal/read-block.ts";
import type { ChatTerminal, ReadLineOptions } from "../chat-terminal.ts";
import { printWrapped } from "../print-wrapped.ts";
import { EditedInput } from "./edited-input.ts";
import type { InputEvents, InputSurface } from "./input-surface.ts";
import { endsWithBackslash } from "./line-continuation.ts";
import { LineQueue } from "./line-queue.ts";
import { PlainInput } from "./plain-input.ts";
import type { LineCompleter } from "./tab-completion.ts";
import { columnsOf } from "./terminal-size.ts";

const CONTINUATION = "… ";

/** How the terminal reads lines. */
export interface LineTerminalOptions {
  prompt: string;
  completer: LineCompleter;
  /** What Ctrl-C does: at an empty prompt, or while a line is worked on. */
  onInterrupt: () => void;
  /** What Escape does while a line is worked on. @default nothing */
  onEscape?: () => void;
  /** Whether nothing is written over and nothing moves, as on a terminal that cannot do it. @default false */
  isPlain?: boolean;
  /** Inputs of earlier sessions, the newest first. @default none */
  history?: readonly string[];
  /** Keeps an input for later sessions. @default it is forgotten */
  remember?: (input: string) => void;
}

/**
 * Lines in, lines out, on whatever is there: an editable input with history and completion on a terminal, plain lines in
 * a pipe or on a terminal that cannot move its cursor.
 */
export class LineTerminal implements ChatTerminal {
  readonly isInteractive: boolean;
  readonly canRedraw: boolean;
  readonly #io: CommandLineIO;
  readonly #surface: InputSurface;
  readonly #inputs = new LineQueue();
  #lastQuestion: Promise<unknown> = Promise.resolve();
  #answer: ((text: string) => void) | undefined;
  #isClosed = false;

  constructor(io: CommandLineIO, options: LineTerminalOptions) {
    this.#io = io;
    this.isInteractive = io.stdin.isTTY && io.stdout.isTTY;
    this.canRedraw = this.isInteractive && io.env["TERM"] !== "dumb" && options.isPlain !== true;
    const events: InputEvents = {
      onInput: (text) => this.#inputs.push(text),
      onAnswer: (text) => this.#answer?.(text),
      onInterrupt: options.onInterrupt,
      onEscape: () => options.onEscape?.(),
      onEnd: () => this.close(),
    };
    const shared = { io, prompt: options.prompt, continuation: CONTINUATION, events };
    const { completer, history = [], remember = () => {} } = options;
    this.#surface = this.canRedraw
      ? new EditedInput({ ...shared, completer, history, remember })
      : new PlainInput({ ...shared, isInteractive: this.isInteractive });
  }

  /** Whether the input has ended, or {@link close} was called. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  get columns(): number {
    return columnsOf(this.#io.stdout);
  }

  /** The inputs as they are entered, those that were entered ahead first; ends with the input or with {@link close}. */
  async *lines(): AsyncGenerator<string> {
    while (true) {
      const input = await this.#nextInput();
      if (input === undefined) return;
      yield input;
    }
  }

  print(text: string): void {
    this.#surface.print(keepStyles(text));
  }

  write(text: string): void {
    const safe = keepStyles(text);
    if (safe !== "") this.#surface.write(safe);
  }

  showLive(lines: readonly string[]): void {
    this.#surface.showLive(lines.map(keepStyles));
  }

  /** Replaces the line above the prompt, which says how things stand; it is not shown in a pipe. */
  setStatus(text: string): void {
    this.#surface.setStatus(keepStyles(text));
  }

  async confirm(question: string, signal: AbortSignal): Promise<boolean> {
    return isYes(await this.readLine(`${question} [y/N] `, signal));
  }

  async readLine(question: string, signal: AbortSignal, { secret = false }: ReadLineOptions = {}): Promise<string> {
    signal.throwIfAborted();
    const answered = this.#lastQuestion.then(() => this.#ask(question, signal, secret));
    this.#lastQuestion = answered.catch(() => {});
    return abortable(answered, signal);
  }

  /** Reads a text of several lines, see {@link readBlock}. */
  async readBlock(signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    if (this.isInteractive) this.print(BLOCK_HINT);
    const typed: string[] = [];
    const next = async (): Promise<IteratorResult<string>> => {
      // What was pasted is one answer of many lines.
      if (this.canRedraw && typed.length === 0) typed.push(...(await this.readLine("", signal)).split("\n"));
      const line = this.canRedraw && !this.#isClosed ? typed.shift() : await this.#inputs.next(signal);
      return line === undefined ? { done: true, value: undefined } : { done: false, value: line };
    };
    return abortable(readBlock({ next }), signal);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#surface.close();
    this.#answer?.("");
    this.#inputs.end();
  }

  async #nextInput(): Promise<string | undefined> {
    let text = "";
    for (let isContinued = false; ; isContinued = true) {
      // oxlint-disable-next-line no-await-in-loop -- one line after the other
      const line = await this.#nextLine(isContinued);
      if (line === undefined) return isContinued ? text : undefined;
      text += line;
      if (!endsWithBackslash(line)) return text;
      text = `${text.slice(0, -1)}\n`;
    }
  }

  async #nextLine(isContinued: boolean): Promise<string | undefined> {
    const early = this.#inputs.take();
    if (early !== undefined) {
      this.#surface.showInput(keepStyles(early));
      return early;
    }
    if (!this.#isClosed) this.#surface.showPrompt(isContinued);
    return this.#inputs.next();
  }

  async #ask(question: string, signal: AbortSignal, isSecret: boolean): Promise<string> {
    signal.throwIfAborted();
    if (this.#isClosed) return "";
    const lines = keepStyles(question).split("\n");
    const text = lines.pop() ?? "";
    printWrapped(this, lines.join("\n"));
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#answer = undefined;
        this.#surface.closeQuestion();
        reject(signal.reason as Error);
      };
      this.#answer = (answer) => {
        this.#answer = undefined;
        signal.removeEventListener("abort", onAbort);
        resolve(answer);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#surface.openQuestion({ text, isSecret });
    });
  }
}
