import { clearScreenDown, createInterface, cursorTo, moveCursor } from "node:readline";
import type { AsyncCompleter, Interface } from "node:readline";

import type { CommandLineIO } from "../cli/command-line-io.ts";
import { BLOCK_HINT, readBlock } from "../terminal/read-block.ts";
import { abortable } from "./abortable.ts";
import type { ChatTerminal } from "./chat-terminal.ts";

const DEFAULT_WIDTH = 100;

/** How the terminal reads lines. */
export interface LineTerminalOptions {
  prompt: string;
  completer: AsyncCompleter;
  /** What Ctrl-C does: at the prompt, or while a line is worked on. */
  onInterrupt: () => void;
}

/**
 * Lines in, lines out, on whatever is there: an editable line with history and completion on a terminal, plain lines in
 * a pipe or on a terminal that cannot move its cursor.
 */
export class LineTerminal implements ChatTerminal {
  readonly isInteractive: boolean;
  readonly #io: CommandLineIO;
  readonly #interface: Interface;
  readonly #lines: AsyncIterator<string>;
  readonly #canMoveCursor: boolean;
  #pendingLine: Promise<IteratorResult<string>> | undefined;
  /** The lines that stand below everything else while nobody is asked. */
  #live: readonly string[] = [];
  #isPrompting = false;
  #isClosed = false;

  constructor(io: CommandLineIO, options: LineTerminalOptions) {
    this.#io = io;
    this.isInteractive = io.stdin.isTTY && io.stdout.isTTY;
    this.#canMoveCursor = this.isInteractive && io.env["TERM"] !== "dumb";
    this.#interface = createInterface({
      input: io.stdin,
      output: io.stdout,
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
    return this.#io.stdout.columns ?? DEFAULT_WIDTH;
  }

  /** The lines as they are entered; ends with the input or with {@link close}. */
  async *lines(): AsyncGenerator<string> {
    while (true) {
      this.#isPrompting = true;
      if (this.isInteractive && !this.#isClosed) this.#interface.prompt();
      const next = await this.#nextLine();
      this.#isPrompting = false;
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
      const live = this.#live;
      this.showLive([]);
      stdout.write(lines);
      this.showLive(live);
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

  write(text: string): void {
    this.showLive([]);
    this.#io.stdout.write(text);
  }

  showLive(lines: readonly string[]): void {
    if (!this.#canMoveCursor || this.#isPrompting) return;
    const { stdout } = this.#io;
    if (this.#live.length > 0) {
      moveCursor(stdout, 0, -this.#live.length);
      cursorTo(stdout, 0);
      clearScreenDown(stdout);
    }
    this.#live = lines;
    if (lines.length > 0) stdout.write(`${lines.join("\n")}\n`);
  }

  /** Asks something; everything but yes is no, and so is the end of the input. */
  async confirm(question: string, signal: AbortSignal): Promise<boolean> {
    return /^y(es)?$/i.test((await this.readLine(`${question} [y/N] `, signal)).trim());
  }

  /** Asks for a line; the end of the input is an empty one. */
  async readLine(question: string, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    if (this.#isClosed) return "";
    this.showLive([]);
    const lines = question.split("\n");
    const lastLine = lines.pop() ?? "";
    this.print(lines.join("\n"));
    this.#isPrompting = true;
    try {
      return await this.#ask(lastLine, signal);
    } finally {
      this.#isPrompting = false;
    }
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

  /** The next line; asked twice before it comes, as after an interruption, it is one and the same. */
  #nextLine(): Promise<IteratorResult<string>> {
    this.#pendingLine ??= this.#lines.next().finally(() => {
      this.#pendingLine = undefined;
    });
    return this.#pendingLine;
  }

  #ask(query: string, signal: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void): void => {
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
    });
  }

  #discardLine(): void {
    this.#interface.write(null, { ctrl: true, name: "e" });
    this.#interface.write(null, { ctrl: true, name: "u" });
  }
}
