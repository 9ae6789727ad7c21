import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Clock } from "./clock.ts";

const MAX_FILES = 100;
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;
/** What all kept files may take together; a single result has at most 64 MiB, the limit of a message. */
const MAX_TOTAL_BYTES = 500_000_000;

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ["application/json", "json"],
  ["application/pdf", "pdf"],
  ["audio/mpeg", "mp3"],
  ["audio/wav", "wav"],
  ["image/gif", "gif"],
  ["image/jpeg", "jpg"],
  ["image/png", "png"],
  ["image/svg+xml", "svg"],
  ["image/webp", "webp"],
  ["text/plain", "txt"],
]);
/** The names that this store gives, so that nothing else in the directory is ever touched. */
const OWN_FILE = /^\d{13}-[a-zA-Z0-9_-]*-[0-9a-f]{12}\.[a-z0-9]+$/;

/** What is kept of a result. */
interface KeptOutput {
  data: string | Uint8Array;
  mimeType: string;
  /** Becomes part of the file's name. */
  name: string;
}

/** Keeps what is too large to be handed over. */
export interface OutputStore {
  /** Writes a file that only the user may read and returns its path. Rejects when it cannot be written. */
  keep(output: KeptOutput): Promise<string>;
}

/** How much a store keeps. */
export interface OutputStoreOptions {
  /** Created when the first file is written. */
  directory: string;
  /** @default 100 */
  maxFiles?: number | undefined;
  /** @default 7 days */
  maxAgeMs?: number | undefined;
  clock: Clock;
}

/** A store in a directory. Whatever is too old or too much there goes when a file is added, the oldest first. */
export function createOutputStore(options: OutputStoreOptions): OutputStore {
  const { directory, clock } = options;
  return {
    async keep({ data, mimeType, name }) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const safeName = name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 80);
      const extension = EXTENSIONS.get(mimeType.split(";")[0]?.trim().toLowerCase() ?? "") ?? "bin";
      const written = String(Math.floor(clock.wallTime())).padStart(13, "0");
      const file = join(directory, `${written}-${safeName}-${randomBytes(6).toString("hex")}.${extension}`);
      await writeFile(file, data, { flag: "wx", mode: 0o600 });
      await removeOldFiles(file, options);
      return file;
    },
  };
}

async function removeOldFiles(newest: string, options: OutputStoreOptions): Promise<void> {
  const { directory, maxFiles = MAX_FILES, maxAgeMs = MAX_AGE_MS, clock } = options;
  const names = (await readdir(directory)).filter((name) => OWN_FILE.test(name));
  // The names begin with the time of writing: the newest first.
  const oldest = clock.wallTime() - maxAgeMs;
  let kept = 0;
  let bytes = 0;
  for (const name of names.toSorted().toReversed()) {
    const file = join(directory, name);
    const size = await sizeOf(file);
    kept += 1;
    bytes += size;
    const isTooMuch = kept > maxFiles || bytes > MAX_TOTAL_BYTES || Number(name.slice(0, 13)) < oldest;
    if (isTooMuch && file !== newest) await rm(file, { force: true });
  }
}

async function sizeOf(file: string): Promise<number> {
  // Another process may have removed it just now.
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}
