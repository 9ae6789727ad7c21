import { createInterface, emitKeypressEvents } from "node:readline";
import type { Interface, Key } from "node:readline";
import { PassThrough } from "node:stream";

import type { CommandLineIO } from "../../cli/command-line-io.ts";
import type { InputEvents, InputSurface, Question } from "./input-surface.ts";
import { SecretLine } from "./secret-line.ts";

/** What a {@link PlainInput} needs. */
export interface PlainInputOptions {
  io: CommandLineIO;
  /** Whether somebody types; otherwise neither the prompt nor the status is shown. */
  isInteractive: boolean;
  prompt: string;
  continuation: string;
  events: InputEvents;
}

/**
 * Lines as a pipe gives them, or a terminal that cannot move its cursor: the terminal itself lets a person edit a line and
 * shows it, and nothing that was written is written over.
 */
export class PlainInput implements InputSurface {
  readonly #options: PlainInputOptions;
  readonly #lines = new PassThrough();
  readonly #interface: Interface;
  /** What stands at the beginning of the line that is being typed. */
  #shownPrompt: string | undefined;
  #isPrompting = false;
  #question: Question | undefined;
  #secret: SecretLine | undefined;
  #status = "";
  #lastStatus = "";
  /** Whether the last line has no end yet. */
  #isLineOpen = false;

  constructor(options: PlainInputOptions) {
    this.#options = options;
    const { stdin } = options.io;
    // Not standard input itself: what is typed of a secret is no line.
    this.#interface = createInterface({ input: this.#lines, terminal: false, crlfDelay: Infinity });
    this.#interface.on("line", (line) => this.#enter(line));
    this.#interface.once("close", () => options.events.onEnd());
    stdin.on("data", this.#onData);
    stdin.once("end", this.#onEnd);
    // As when its window has been closed.
    stdin.on("error", this.#onEnd);
  }

  print(text: string): void {
    if (text === "") return;
    const lines = text.endsWith("\n") ? text : `${text}\n`;
    this.#write(`${this.#startLine()}${lines}`);
    if (this.#shownPrompt !== undefined) this.#write(this.#shownPrompt);
  }

  write(text: string): void {
    this.#write(text);
  }

  showLive(): void {}

  setStatus(text: string): void {
    this.#status = text;
  }

  showPrompt(continued: boolean): void {
    this.#isPrompting = true;
    if (!this.#options.isInteractive) return;
    if (this.#status !== this.#lastStatus) this.print(this.#status);
    this.#lastStatus = this.#status;
    this.#ask(continued ? this.#options.continuation : this.#options.prompt);
  }

  showInput(text: string): void {
    if (this.#options.isInteractive) this.print(`${this.#options.prompt}${text}`);
  }

  openQuestion(question: Question): void {
    this.#question = question;
    this.#ask(question.text);
    if (question.isSecret) this.#openSecret();
  }

  closeQuestion(): void {
    if (this.#question === undefined) return;
    this.#endQuestion();
    this.#write("\n");
    this.#askAgain();
  }

  close(): void {
    const { stdin } = this.#options.io;
    stdin.off("data", this.#onData);
    stdin.off("end", this.#onEnd);
    this.#closeSecret();
    stdin.pause();
    this.#interface.close();
  }

  readonly #onData = (chunk: Buffer | string): void => {
    if (this.#secret === undefined) this.#lines.write(chunk);
  };

  readonly #onEnd = (): void => void this.#lines.end();

  #enter(line: string): void {
    // The terminal itself has shown the end of the line.
    this.#isLineOpen = false;
    if (this.#question !== undefined) return this.#answer(line);
    this.#isPrompting = false;
    this.#shownPrompt = undefined;
    this.#options.events.onInput(line);
  }

  #answer(text: string): void {
    this.#endQuestion();
    this.#options.events.onAnswer(text);
    if (this.#question === undefined) this.#askAgain();
  }

  #endQuestion(): void {
    this.#question = undefined;
    this.#shownPrompt = undefined;
    this.#closeSecret();
  }

  /** The prompt that a question has interrupted. */
  #askAgain(): void {
    if (this.#isPrompting && this.#options.isInteractive) this.#ask(this.#options.prompt);
  }

  #ask(prompt: string): void {
    this.#write(`${this.#startLine()}${prompt}`);
    this.#shownPrompt = prompt;
  }

  #startLine(): string {
    return this.#isLineOpen || this.#shownPrompt !== undefined ? "\n" : "";
  }

  #write(text: string): void {
    if (text === "") return;
    this.#isLineOpen = !text.endsWith("\n");
    this.#options.io.stdout.write(text);
  }

  /** The terminal would show what is typed: until the answer is there the keys come one by one. */
  #openSecret(): void {
    const { stdin } = this.#options.io;
    this.#secret = new SecretLine();
    emitKeypressEvents(stdin);
    stdin.setRawMode?.(true);
    stdin.on("keypress", this.#onSecretKey);
  }

  #closeSecret(): void {
    if (this.#secret === undefined) return;
    const { stdin } = this.#options.io;
    stdin.off("keypress", this.#onSecretKey);
    stdin.setRawMode?.(false);
    this.#secret = undefined;
  }

  readonly #onSecretKey = (characters: string | undefined, key: Key): void => {
    const { events } = this.#options;
    if (key.ctrl === true && key.name === "c") return events.onInterrupt();
    if (key.name === "escape") return events.onEscape();
    if (key.ctrl === true && key.name === "d" && this.#secret?.text === "") return events.onEnd();
    if (key.name !== "return" && key.name !== "enter") return this.#secret?.press(characters, key);
    const text = this.#secret?.text ?? "";
    this.#write("\n");
    this.#answer(text);
  };
}
