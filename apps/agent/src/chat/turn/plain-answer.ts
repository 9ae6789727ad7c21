import { sanitizeText } from "../../terminal/sanitize-text.ts";
import type { OutputPlace } from "./fold-output.ts";
import { foldOutput } from "./fold-output.ts";

/** An answer that is no Markdown: it is shown as it is once it is whole, and its beginning if it is long. */
export class PlainAnswer {
  readonly #place: OutputPlace;
  readonly #print: (text: string) => void;
  #text = "";

  constructor(place: OutputPlace, print: (text: string) => void) {
    this.#place = place;
    this.#print = print;
  }

  write(piece: string): void {
    this.#text += piece;
  }

  /** Nothing: such an answer comes at once. */
  preview(): string[] {
    return [];
  }

  end(): void {
    const text = sanitizeText(this.#text);
    this.#text = "";
    if (text !== "") this.#print(foldOutput(text, this.#place));
  }
}
