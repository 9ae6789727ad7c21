/** The longest line that is taken for a message. */
export const MESSAGE_LIMIT = 64 * 1024 * 1024;

const LINE_BREAK = 0x0a;
// Enough to find the id of a message that is too long to be kept.
const EDGE = 256;

/** What comes out of a {@link LineDecoder}. */
export interface LineHandlers {
  onLine(line: string): void;
  /** A line was longer than the limit and is lost; `edges` are its beginning and its end. */
  onOversizeLine(edges: string, length: number): void;
}

/**
 * Splits a stream of bytes into lines. Works on bytes, so that a character that is cut by a chunk comes out whole; a
 * line that is too long is skipped up to its end, and the stream goes on.
 */
export class LineDecoder {
  readonly #handlers: LineHandlers;
  readonly #limit: number;
  #chunks: Buffer[] = [];
  #length = 0;
  #isOversize = false;

  constructor(handlers: LineHandlers, limit: number = MESSAGE_LIMIT) {
    this.#handlers = handlers;
    this.#limit = limit;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(LINE_BREAK); at >= 0; at = chunk.indexOf(LINE_BREAK, from)) {
      this.#append(chunk.subarray(from, at));
      this.#endLine();
      from = at + 1;
    }
    if (from < chunk.length) this.#append(chunk.subarray(from));
  }

  #append(part: Buffer): void {
    this.#length += part.length;
    this.#chunks.push(part);
    if (!this.#isOversize && this.#length <= this.#limit) return;
    this.#isOversize = true;
    const kept = Buffer.concat(this.#chunks);
    this.#chunks =
      kept.length <= 2 * EDGE ? [kept] : [Buffer.from(kept.subarray(0, EDGE)), Buffer.from(kept.subarray(-EDGE))];
  }

  #endLine(): void {
    const text = Buffer.concat(this.#chunks).toString("utf8");
    const [length, isOversize] = [this.#length, this.#isOversize];
    this.#chunks = [];
    this.#length = 0;
    this.#isOversize = false;
    if (isOversize) this.#handlers.onOversizeLine(text, length);
    else this.#handlers.onLine(text.endsWith("\r") ? text.slice(0, -1) : text);
  }
}
