import type { Key } from "node:readline";

/** A line that is typed where nothing can be shown of it, and where readline edits nothing (`TERM=dumb`). */
export class SecretLine {
  #text = "";

  /** What has been typed. */
  get text(): string {
    return this.#text;
  }

  /** Takes a key: a character, or one that takes characters back. */
  press(characters: string | undefined, { name, ctrl }: Key): void {
    if (name === "backspace") this.#text = this.#text.replace(/.$/su, "");
    else if (ctrl === true && name === "u") this.#text = "";
    else if (ctrl !== true && characters !== undefined) this.#text += characters;
  }
}
