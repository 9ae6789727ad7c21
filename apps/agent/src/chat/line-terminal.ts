import { clearLine, createInterface, cursorTo } from "node:readline";
import type { Completer, Interface } from "node:readline";

import type { CommandLineIO } from "../cli/command-line-io.ts";

/** How the terminal reads lines. */
export interface LineTerminalOptions {
  prompt: string;
  completer: Completer;
  /** What Ctrl-C does: at the prompt, or while a line is worked on. */
  onInterrupt(): void;
}

/**
 * Lines in, lines out, on whatever is there: an editable line with history and completion on a terminal, plain lines in
 * a pipe or on a terminal that cannot move its cursor.
 */
export class LineTerminal {
  /** Whether somebody types. */
  readonly isInteractive: boolean;
  readonly #io: CommandLineIO;
  readonly #interface: Interface;
  readonly #canMoveCursor: boolean;
  #isPrompting = false;

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
  }

  /** The lines as they are entered; ends with the input or with {@link close}. */
  async *lines(): AsyncGenerator<string> {
    const iterator = this.#interface[Symbol.asyncIterator]();
    while (true) {
      this.#isPrompting = true;
      if (this.isInteractive) this.#interface.prompt();
      const { value, done } = await iterator.next();
      this.#isPrompting = false;
      if (done === true) return;
      yield value;
    }
  }

  /** Writes text on lines of its own; a line that is being typed stays below it. */
  print(text: string): void {
    if (text === "") return;
    const lines = text.endsWith("\n") ? text : `${text}\n`;
    if (!this.#isPrompting || !this.#canMoveCursor) {
      this.#io.stdout.write(lines);
      return;
    }
    clearLine(this.#io.stdout, 0);
    cursorTo(this.#io.stdout, 0);
    this.#io.stdout.write(lines);
    this.#interface.prompt(true);
  }

  /** Asks something; everything but yes is no. */
  async confirm(question: string, signal: AbortSignal): Promise<boolean> {
    const answer = await new Promise<string>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      this.#interface.once("close", () => resolve(""));
      this.#interface.question(`${question} [y/N] `, resolve);
    });
    return /^y(es)?$/i.test(answer.trim());
  }

  close(): void {
    this.#interface.close();
  }

  #discardLine(): void {
    this.#interface.write(null, { ctrl: true, name: "e" });
    this.#interface.write(null, { ctrl: true, name: "u" });
  }
}
