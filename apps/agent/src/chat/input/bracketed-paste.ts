import type { Key } from "node:readline";

import { sanitizeText } from "../../terminal/sanitize-text.ts";

/** Makes a terminal say where what is pasted begins and ends. */
export const SWITCH_PASTE_ON = "\u001B[?2004h";
export const SWITCH_PASTE_OFF = "\u001B[?2004l";

/** Puts the keys that a pasted text arrives as together again. */
export class BracketedPaste {
  #text: string | undefined;

  /**
   * Takes a key if it belongs to a paste.
   *
   * @returns whether it did; once the paste is complete, its text, which can steer no terminal
   */
  take(characters: string | undefined, { name, sequence, ctrl }: Key): boolean | string {
    // Should its end be lost, this is the way out.
    if (ctrl === true && name === "c") this.#text = undefined;
    if (name === "paste-start") {
      this.#text = "";
      return true;
    }
    if (this.#text === undefined) return name === "paste-end";
    if (name === "paste-end") {
      const text = sanitizeText(this.#text.replaceAll(/\r\n?/g, "\n"));
      this.#text = undefined;
      return text;
    }
    this.#text += characters ?? sequence ?? "";
    return true;
  }
}
