import { appendFile, mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

import type { Logger } from "@toolgate/contracts";
import { messageOf } from "@toolgate/contracts";

import type { HostPlaces } from "../state/state-directory.ts";
import { stateDirectory } from "../state/state-directory.ts";
import type { LogEntry } from "./server-log-entry.ts";
import { parseLogEntry } from "./server-log-entry.ts";

/** Bytes after which a file becomes the older one of two. */
const MAX_FILE_BYTES = 256 * 1024;

/** Where the log of a server's last run is kept. */
export function logFileOf(server: string, places: HostPlaces): string {
  return join(stateDirectory(places), "logs", `${encodeURIComponent(server).slice(0, 200)}.jsonl`);
}

/**
 * Writes one server's log of one run: one JSON document per line, in files that only their owner can read. The first entry
 * replaces the run before. What cannot be written is said to the logger once, and no more is tried.
 */
export class LogFile {
  readonly #path: string;
  readonly #logger: Logger;
  #pending: string[] = [];
  #writing: Promise<void> | undefined;
  #size: number | undefined;
  #failed = false;

  constructor(path: string, logger: Logger) {
    this.#path = path;
    this.#logger = logger;
  }

  append(entry: LogEntry): void {
    if (this.#failed) return;
    this.#pending.push(`${JSON.stringify(entry)}\n`);
    this.#writing ??= this.#write();
  }

  /** Resolves when everything is written that was appended so far. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    try {
      while (this.#pending.length > 0) {
        const text = this.#pending.splice(0).join("");
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await this.#writeText(text);
      }
    } catch (error) {
      this.#failed = true;
      this.#pending = [];
      this.#logger.warn(`The log ${this.#path} cannot be written: ${messageOf(error)}`);
    } finally {
      this.#writing = undefined;
    }
  }

  async #writeText(text: string): Promise<void> {
    if (this.#size === undefined) {
      await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
      await Promise.all([rm(this.#path, { force: true }), rm(olderOf(this.#path), { force: true })]);
    } else if (this.#size > MAX_FILE_BYTES) {
      await rename(this.#path, olderOf(this.#path)).catch(ignoreAbsence);
      this.#size = 0;
    }
    await appendFile(this.#path, text, { mode: 0o600 });
    this.#size = (this.#size ?? 0) + Buffer.byteLength(text);
  }
}

/** The log of a server's last run, oldest entry first; empty when there is none. */
export async function readLogFile(path: string): Promise<LogEntry[]> {
  const texts = await Promise.all([olderOf(path), path].map(readBounded));
  return texts
    .flatMap((text) => text.split("\n"))
    .map(parseLogEntry)
    .filter((entry) => entry !== undefined);
}

/** Somebody else's huge file is no log of ours. */
async function readBounded(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    return size > MAX_FILE_BYTES * 16 ? "" : await readFile(path, "utf8");
  } catch (error) {
    ignoreAbsence(error);
    return "";
  }
}

function olderOf(path: string): string {
  return `${path}.1`;
}

function ignoreAbsence(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}
