import { stripVTControlCharacters } from "node:util";

/** Bytes of error output that are kept. */
const STDERR_LIMIT = 65_536;

/** Keeps the end of a child's error output, and gives it without secrets and without terminal control sequences. */
export class StderrRing {
  readonly #limit: number;
  readonly #redact: (text: string) => string;
  /** Kept in addition, so that a secret at the cut is still whole when it is looked for. */
  readonly #slack: number;
  #chunks: Buffer[] = [];
  #length = 0;
  #cut = false;

  constructor(redact: (text: string) => string, longestSecret: number, limit: number = STDERR_LIMIT) {
    this.#redact = redact;
    // A secret may stand there URL-encoded, three bytes for one.
    this.#slack = longestSecret * 3;
    this.#limit = limit;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    // Cutting at every chunk would copy too often.
    if (this.#length > 2 * (this.#limit + this.#slack)) this.#trim();
  }

  /** The kept text; at most the limit's length. */
  text(): string {
    this.#trim();
    const redacted = this.#redact(stripVTControlCharacters(Buffer.concat(this.#chunks).toString("utf8")));
    return this.#cut ? redacted.slice(this.#slack) : redacted;
  }

  #trim(): void {
    const keep = this.#limit + this.#slack;
    if (this.#length <= keep) return;
    this.#chunks = [Buffer.from(Buffer.concat(this.#chunks).subarray(-keep))];
    this.#length = keep;
    this.#cut = true;
  }
}

/** The last lines of a text, for a message that people read. */
export function lastLines(text: string, lines = 20, characters = 2000): string {
  return text.trimEnd().split(/\r?\n/).slice(-lines).join("\n").slice(-characters).trim();
}
