/** How much of a child's stderr is kept. */
export const STDERR_LIMIT = 64 * 1024;

/** The end of a stream of bytes, of bounded size whatever is written. */
export class StderrRing {
  readonly #chunks: Buffer[] = [];
  readonly #limit: number;
  #size = 0;

  constructor(limit: number = STDERR_LIMIT) {
    this.#limit = limit;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#size - (this.#chunks[0]?.length ?? 0) >= this.#limit) {
      this.#size -= this.#chunks.shift()?.length ?? 0;
    }
  }

  /** What is kept, as text; a first line that is cut is left out. */
  text(): string {
    const all = Buffer.concat(this.#chunks);
    if (all.length <= this.#limit) return all.toString("utf8");
    const cut = all.subarray(all.length - this.#limit);
    const lineBreak = cut.indexOf(0x0a);
    return cut.subarray(lineBreak + 1).toString("utf8");
  }
}

/** The last lines of a text, for a message. */
export function lastLines(text: string, options: { lines: number; characters: number }): string {
  const lines = text.trimEnd().split("\n").slice(-options.lines).join("\n").trim();
  return lines.length <= options.characters ? lines : `…${lines.slice(-options.characters)}`;
}
