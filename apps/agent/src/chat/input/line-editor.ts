import { createInterface } from "node:readline";
import type { Interface, Key } from "node:readline";
import { PassThrough } from "node:stream";

/**
 * What stands for a line feed in the line of readline, for which that would be the end of the line. Nobody can type it,
 * and it divides words.
 */
const LINE_BREAK = "\v";

/** What a {@link LineEditor} knows. */
export interface LineEditorOptions {
  /** Inputs that can be called back, the newest first. @default none, and none is added */
  history?: readonly string[];
  /** How many of them are kept. @default 1000 */
  historySize?: number;
}

/**
 * A text that is being typed: readline's editing keys, undo, kill ring and history, without anything being shown. A text
 * may have several lines.
 */
export class LineEditor {
  readonly #interface: Interface;
  #isKept = false;

  constructor({ history, historySize = 1000 }: LineEditorOptions = {}) {
    this.#interface = createInterface({
      // Keys come by `press`; somebody else draws.
      input: new PassThrough(),
      terminal: true,
      historySize: history === undefined ? 0 : historySize,
      history: (history ?? []).map(toLine),
      removeHistoryDuplicates: true,
    });
    this.#interface.on("history", (lines) => {
      if (!this.#isKept) lines.shift();
    });
  }

  /** What has been typed. */
  get text(): string {
    return toText(this.#interface.line);
  }

  /** What stands to the left of the cursor. */
  get textBefore(): string {
    return toText(this.#interface.line.slice(0, this.#interface.cursor));
  }

  /** Does what a key does in readline; up and down stay in the text as long as it has a line there. */
  press(characters: string | undefined, key: Key): void {
    if (isArrow(key) && this.#interface.line.includes(LINE_BREAK)) {
      if (this.#moveVertically(key.name === "up" ? -1 : 1)) return;
      // Readline looks for inputs that begin as what is left of the cursor does.
      this.#press({ ctrl: true, name: "a" });
    }
    this.#interface.write(characters as string, key);
  }

  /** Inserts a text at the cursor; line feeds in it end nothing. */
  insert(text: string): void {
    if (text !== "") this.#interface.write(toLine(text), {});
  }

  /** Replaces what stands directly to the left of the cursor. */
  replaceBefore(length: number, text: string): void {
    for (let removed = 0; removed < length; removed += 1) this.#press({ name: "backspace" });
    this.insert(text);
  }

  moveToEnd(): void {
    this.#press({ ctrl: true, name: "e" });
  }

  /**
   * Gives what has been typed, and begins anew.
   *
   * @param isKept - Whether it can be called back.
   */
  take(isKept: boolean): string {
    const { text } = this;
    this.#isKept = isKept;
    this.#press({ name: "return" });
    return text;
  }

  close(): void {
    this.#interface.close();
  }

  #press(key: Key): void {
    this.#interface.write(null as unknown as string, key);
  }

  #moveVertically(direction: -1 | 1): boolean {
    const lines = this.#interface.line.split(LINE_BREAK);
    const before = this.#interface.line.slice(0, this.#interface.cursor).split(LINE_BREAK);
    const target = before.length - 1 + direction;
    const line = lines[target];
    if (line === undefined) return false;
    const start = lines.slice(0, target).reduce((sum, { length }) => sum + length + 1, 0);
    this.#moveTo(start + Math.min(line.length, before.at(-1)?.length ?? 0));
    return true;
  }

  #moveTo(position: number): void {
    while (this.#interface.cursor > position) this.#press({ name: "left" });
    while (this.#interface.cursor < position) this.#press({ name: "right" });
  }
}

function isArrow({ name, ctrl, meta, shift }: Key): boolean {
  return (name === "up" || name === "down") && ctrl !== true && meta !== true && shift !== true;
}

function toLine(text: string): string {
  return text.replaceAll(/\r\n|[\r\n\u2028\u2029]/g, LINE_BREAK);
}

function toText(line: string): string {
  return line.replaceAll(LINE_BREAK, "\n");
}
