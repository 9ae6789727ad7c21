import { closeSync, mkdtempSync, openSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

/** Bytes of an output that a model reads. */
const SHOWN_BYTES = 30_000;
/** Bytes of an output that are kept in the file: a command must not fill the disk. */
const KEPT_BYTES = 64 * 1024 * 1024;

/**
 * The output of a command, of which the end is kept for the model and, when it is long, the whole in a file of the
 * temporary directory that only its owner can read.
 */
export class BoundedOutput {
  #tail: Buffer = Buffer.alloc(0);
  #total = 0;
  #file: { path: string; descriptor: number } | undefined;

  add(chunk: Buffer): void {
    const before = this.#total;
    this.#total += chunk.length;
    if (this.#file === undefined && this.#total > SHOWN_BYTES) {
      this.#file = openOutputFile();
      writeSync(this.#file.descriptor, this.#tail);
    }
    if (this.#file !== undefined && before < KEPT_BYTES) {
      writeSync(this.#file.descriptor, chunk.subarray(0, KEPT_BYTES - before));
    }
    const joined = Buffer.concat([this.#tail, chunk]);
    this.#tail = joined.subarray(Math.max(0, joined.length - SHOWN_BYTES));
  }

  /** Ends the output; gives what a model reads of it, without colours. */
  finish(): string {
    const text = stripVTControlCharacters(this.#tail.toString("utf8")).replaceAll("\r\n", "\n").trimEnd();
    if (this.#file === undefined) return text;
    closeSync(this.#file.descriptor);
    const kept = this.#total > KEPT_BYTES ? `the first ${KEPT_BYTES} of them are` : "all of them are";
    const left = this.#total - this.#tail.length;
    return `(the first ${left} of ${this.#total} bytes are left out here; ${kept} in ${this.#file.path})\n${text}`;
  }
}

function openOutputFile(): { path: string; descriptor: number } {
  const path = join(mkdtempSync(join(tmpdir(), "toolgate-output-")), "output.txt");
  return { path, descriptor: openSync(path, "wx", 0o600) };
}
