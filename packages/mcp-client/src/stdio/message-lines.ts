const NEWLINE = 0x0a;
/** Bytes kept of a message that is too long, from either end: enough to find out which request it answers. */
const EXCERPT = 4096;

/** What becomes of the bytes. */
export interface MessageLinesHandler {
  /** A whole line without its end. */
  line(text: string): void;
  /** A line that is longer than the limit; only its beginning and its end are known. */
  oversized(head: string, tail: string, bytes: number): void;
}

/**
 * Cuts a stream of bytes into lines.
 *
 * It works on bytes, so that a character that is cut by a chunk's border stays whole, and it never holds more than the
 * limit: the rest of a longer line is let through unread, and the next line is fine again.
 */
export class MessageLines {
  readonly #limit: number;
  readonly #handler: MessageLinesHandler;
  #chunks: Buffer[] = [];
  #length = 0;
  /** Set while the rest of a line that is too long goes by. */
  #head: string | undefined;
  #tail: Buffer = Buffer.alloc(0);

  constructor(limit: number, handler: MessageLinesHandler) {
    this.#limit = limit;
    this.#handler = handler;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#add(chunk.subarray(start, end));
      this.#flush();
      start = end + 1;
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
  }

  /** The stream has ended: what is left is the last line. */
  end(): void {
    if (this.#length > 0) this.#flush();
  }

  #add(part: Buffer): void {
    this.#length += part.length;
    if (this.#head === undefined) {
      this.#chunks.push(part);
      if (this.#length <= this.#limit) return;
      const held = Buffer.concat(this.#chunks);
      this.#chunks = [];
      this.#head = held.toString("utf8", 0, EXCERPT);
      this.#tail = Buffer.from(held.subarray(-EXCERPT));
    } else {
      this.#tail = Buffer.concat([this.#tail, part.subarray(-EXCERPT)]).subarray(-EXCERPT);
    }
  }

  #flush(): void {
    const length = this.#length;
    const [only] = this.#chunks;
    const line = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks);
    const head = this.#head;
    this.#chunks = [];
    this.#length = 0;
    this.#head = undefined;
    if (head === undefined) this.#handler.line(line.toString("utf8"));
    else this.#handler.oversized(head, this.#tail.toString("utf8"), length);
  }
}
