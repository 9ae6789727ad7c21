import { closeSync, mkdtempSync, openSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

import { messageOf } from "@toolgate/contracts";

/** Bytes of an output that a model reads. */
const SHOWN_BYTES = 30_000;
/** Bytes of an output that are kept in the file: a command must not fill the disk. */
const KEPT_BYTES = 64 * 1024 * 1024;

/**
 * The output of a command, of which the end is kept for the model and, when it is long, the whole in a file that only
 * its owner can read. A file that cannot be written is said to be missing, and nothing more.
 */
export class BoundedOutput {
  readonly #directory: string;
  #tail: Buffer = Buffer.alloc(0);
  #total = 0;
  #file: { path: string; descriptor: number } | undefined;
  /** Why there is no whole output. */
  #problem: string | undefined;

  /** @param directory - Where the file goes. */
  constructor(directory: string = tmpdir()) {
    this.#directory = directory;
  }

  add(chunk: Buffer): void {
    const before = this.#total;
    this.#total += chunk.length;
    if (this.#total > SHOWN_BYTES) this.#keep(chunk.subarray(0, Math.max(0, KEPT_BYTES - before)));
    const joined = Buffer.concat([this.#tail, chunk]);
    this.#tail = joined.subarray(Math.max(0, joined.length - SHOWN_BYTES));
  }

  /** Ends the output; gives what a model reads of it, without colours. */
  finish(): string {
    const text = stripVTControlCharacters(this.#tail.toString("utf8")).replaceAll("\r\n", "\n").trimEnd();
    if (this.#file !== undefined) closeSync(this.#file.descriptor);
    const left = this.#total - this.#tail.length;
    return left === 0
      ? text
      : `(the first ${left} of ${this.#total} bytes are left out here; ${this.#whereabouts()})\n${text}`;
  }

  #keep(chunk: Buffer): void {
    if (this.#problem !== undefined) return;
    try {
      if (this.#file === undefined) {
        this.#file = openOutputFile(this.#directory);
        writeSync(this.#file.descriptor, this.#tail);
      }
      writeSync(this.#file.descriptor, chunk);
    } catch (error) {
      this.#problem = messageOf(error);
    }
  }

  #whereabouts(): string {
    if (this.#file === undefined || this.#problem !== undefined) return `the whole is lost: ${this.#problem ?? ""}`;
    return `${this.#total > KEPT_BYTES ? `the first ${KEPT_BYTES} of them are` : "all of them are"} in ${this.#file.path}`;
  }
}

function openOutputFile(directory: string): { path: string; descriptor: number } {
  const path = join(mkdtempSync(join(directory, "toolgate-output-")), "output.txt");
  return { path, descriptor: openSync(path, "wx", 0o600) };
}
