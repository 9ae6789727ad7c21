import { clearScreenDown, createInterface, cursorTo, moveCursor } from "node:readline";
import type { Completer, Interface } from "node:readline";

import type { CommandLineIO } from "../cli/command-line-io.ts";
import { BLOCK_HINT, readBlock } from "../terminal/read-block.ts";
import { abortable } from "./abortable.ts";
import type { ChatTerminal, ReadLineOptions } from "./chat-terminal.ts";

/** Columns where nobody says how many there are. */
const DEFAULT_COLUMNS = 100;

/** How the terminal reads lines. */
export interface LineTerminalOptions {
  prompt: string;
  completer: Completer;
  /** What Ctrl-C does: at the prompt, or while a line is worked on. */
  onInterrupt: () => void;
}

/**
 * Lines in, lines out, on whatever is there: an editable line with history and completion on a terminal, plain lines in
 * a pipe or on a terminal that cannot move its cursor.
 */
export class LineTerminal implements ChatTerminal {
  /** Whether somebody types. */
  readonly isInteractive: boolean;
  readonly #io: CommandLineIO;
  readonly #interface: Interface;
  readonly #lines: AsyncIterator<string>;
  readonly #canMoveCursor: boolean;
  #pendingLine: Promise<IteratorResult<string>> | undefined;
  #lastQuestion: Promise<unknown> = Promise.resolve();
  #isWaiting = false;
  #isAsking = false;
  #hidesInput = false;
  #isClosed = false;

  constructor(io: CommandLineIO, options: LineTerminalOptions) {
    this.#io = io;
    this.isInteractive = io.stdin.isTTY && io.stdout.isTTY;
    this.#canMoveCursor = this.isInteractive && io.env["TERM"] !== "dumb";
    this.#interface = createInterface({
      input: io.stdin,
      output: this.#createOutput(),
      terminal: this.#canMoveCursor,
      prompt: this.isInteractive ? options.prompt : "",
      completer: options.completer,
      historySize: 1000,
      removeHistoryDuplicates: true,
    });
    this.#interface.on("SIGINT", () => {
      // A line that was begun is thrown away, as in a shell.
      if (this.#isPrompting && this.#interface.line !== "") this.#discardLine();
      else options.onInterrupt();
    });
    this.#interface.once("close", () => {
      this.#isClosed = true;
    });
    this.#interface.on("history", (history) => {
      // An answer to a question is none of the lines that one comes back to.
      if (this.#isAsking) history.shift();
    });
    // From the start on: a line that is typed ahead, after a question and before the first prompt, counts too.
    this.#lines = this.#interface[Symbol.asyncIterator]();
  }

  /** Whether the input has ended, or {@link close} was called. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  get canRedraw(): boolean {
    return this.#canMoveCursor;
  }

  get columns(): number {
    return this.#io.stdout.columns ?? DEFAULT_COLUMNS;
  }

  /** The lines as they are entered; ends with the input or with {@link close}. */
  async *lines(): AsyncGenerator<string> {
    while (true) {
      this.#isWaiting = true;
      if (this.isInteractive && !this.#isClosed) this.#interface.prompt();
      const next = await this.#nextLine();
      this.#isWaiting = false;
      if (next.done === true) return;
      yield next.value;
    }
  }

  /** Writes text on lines of its own; a line that is being typed stays below it. */
  print(text: string): void {
    if (text === "") return;
    const lines = text.endsWith("\n") ? text : `${text}\n`;
    const { stdout } = this.#io;
    if (!this.#isPrompting || !this.isInteractive) {
      stdout.write(lines);
      return;
    }
    if (!this.#canMoveCursor) {
      stdout.write(`\n${lines}`);
      this.#interface.prompt();
      return;
    }
    const { rows } = this.#interface.getCursorPos();
    moveCursor(stdout, 0, -rows);
    cursorTo(stdout, 0);
    clearScreenDown(stdout);
    // Readline goes up by the rows of a wrapped line before it draws it again.
    stdout.write(`${lines}${"\n".repeat(rows)}`);
    this.#interface.prompt(true);
  }

  /** Shows a piece of a text as it comes. */
  write(text: string): void {
    this.#io.stdout.write(text);
  }

  /** Nothing stands below the rest here. */
  showLive(): void {}

  /** Asks something; everything but yes is no, and so is the end of the input. */
  async confirm(question: string, signal: AbortSignal): Promise<boolean> {
    return /^y(es)?$/i.test((await this.readLine(`${question} [y/N] `, signal)).trim());
  }

  /** Asks for a line; the end of the input is an empty one. A second question waits for the answer to the first. */
  readLine(question: string, signal: AbortSignal, { secret = false }: ReadLineOptions = {}): Promise<string> {
    const turn = this.#lastQuestion.then(() => this.#askInTurn(question, signal, secret));
    this.#lastQuestion = turn.catch(() => {});
    return turn;
  }

  /** Reads a text of several lines, see {@link readBlock}. */
  async readBlock(signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    if (this.isInteractive) this.print(BLOCK_HINT);
    const next = async (): Promise<IteratorResult<string>> =>
      signal.aborted ? { done: true, value: undefined } : this.#nextLine();
    return abortable(readBlock({ next }), signal);
  }

  close(): void {
    this.#interface.close();
  }

  /** Whether something stands on the last line that is being answered. */
  get #isPrompting(): boolean {
    return this.#isWaiting || this.#isAsking;
  }

  /** The next line; asked twice before it comes, as after an interruption, it is one and the same. */
  #nextLine(): Promise<IteratorResult<string>> {
    this.#pendingLine ??= this.#lines.next().finally(() => {
      this.#pendingLine = undefined;
    });
    return this.#pendingLine;
  }

  async #askInTurn(question: string, signal: AbortSignal, secret: boolean): Promise<string> {
    signal.throwIfAborted();
    if (this.#isClosed) return "";
    // What was being typed at the prompt is no answer; it comes back afterwards.
    const draft = this.#isWaiting ? this.#interface.line : "";
    if (draft !== "") this.#discardLine();
    const lines = question.split("\n");
    const lastLine = lines.pop() ?? "";
    this.print(lines.join("\n"));
    this.#isAsking = true;
    try {
      return await this.#ask(lastLine, signal, secret);
    } finally {
      this.#isAsking = false;
      if (this.#isWaiting && !this.#isClosed) {
        this.#interface.prompt();
        if (draft !== "") this.#interface.write(draft);
      }
    }
  }

  #ask(query: string, signal: AbortSignal, secret: boolean): Promise<string> {
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void): void => {
        if (this.#hidesInput) this.#io.stdout.write("\n");
        this.#hidesInput = false;
        this.#interface.off("close", onClose);
        signal.removeEventListener("abort", onAbort);
        finish();
      };
      const onClose = (): void => settle(() => resolve(""));
      const onAbort = (): void => settle(() => reject(signal.reason as Error));
      this.#interface.once("close", onClose);
      signal.addEventListener("abort", onAbort, { once: true });
      // With the signal readline forgets the question too; the next line would be taken for its answer.
      this.#interface.question(query, { signal }, (answer) => settle(() => resolve(answer)));
      this.#hidesInput = secret && this.#canMoveCursor;
    });
  }

  /** The terminal's output, which shows nothing of what readline does while a secret is typed. */
  #createOutput(): NodeJS.WritableStream {
    const { stdout } = this.#io;
    const write = (text: string): boolean => this.#hidesInput || stdout.write(text);
    return new Proxy(stdout, {
      get: (target, key) => {
        if (key === "write") return write;
        const value: unknown = Reflect.get(target, key);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }

  #discardLine(): void {
    this.#interface.write(null, { ctrl: true, name: "e" });
    this.#interface.write(null, { ctrl: true, name: "u" });
  }
}
