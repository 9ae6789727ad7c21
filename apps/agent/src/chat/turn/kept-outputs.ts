import { formatCount } from "../../terminal/format.ts";

const KEPT = 20;

/** The last outputs of which a chat has shown only the beginning. */
export class KeptOutputs {
  readonly #texts: string[] = [];

  /** @param text - The whole output; safe to print. */
  add(text: string): void {
    this.#texts.unshift(text);
    this.#texts.length = Math.min(this.#texts.length, KEPT);
  }

  /** `/output [n]`: the last one whole, or the one that is the n-th from the end. */
  show(words: string): string {
    if (!/^\d*$/.test(words)) return "/output takes a number: /output 3 shows the third last.";
    const text = this.#texts[Number(words || 1) - 1];
    if (text !== undefined) return text;
    if (this.#texts.length === 0) return "No output was longer than what is shown of it.";
    return `${formatCount(this.#texts.length, "output")} kept: /output 1 shows the last one.`;
  }
}
