import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { chmod, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";

import { isRecord } from "@toolgate/contracts";

import type { ToolCacheStore } from "./tool-cache-store.ts";

const SUFFIX = ".entry.json";
const TEMPORARY = /\.entry\.json\.[0-9a-f-]+\.tmp$/;
// Longer than any write takes: what is older was left by a process that was killed while it wrote.
const TEMPORARY_LIFETIME_MS = 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** How a {@link FileStore} keeps its files. */
export interface FileStoreOptions {
  /** Made at the first write, open to its owner only. */
  directory: string;
  /** Milliseconds after which a file that nobody has written again is removed, looked for once per instance. @default 60 days */
  maxAge?: number;
  /** Milliseconds since 1970. @default Date.now */
  now?: () => number;
}

/**
 * A store of one file per key. A value is written to a temporary file and renamed, so that readers and writers in any
 * number of processes see whole values only. Usable by itself and as the `store` of a Keyv.
 *
 * Reading and writing are synchronous underneath: entries are small and few, the thread pool costs more, and a value that
 * was handed over is there for the next reader, also when the process ends right away.
 */
export class FileStore implements ToolCacheStore {
  readonly #directory: string;
  readonly #maxAge: number;
  readonly #now: () => number;
  #tidied = false;

  constructor(options: FileStoreOptions) {
    this.#directory = options.directory;
    this.#maxAge = options.maxAge ?? 60 * DAY_MS;
    this.#now = options.now ?? Date.now;
  }

  /** @throws The file system's error, except for a file that is not there. */
  async get(key: string): Promise<unknown> {
    return this.#read(key);
  }

  /** Each key by itself: one that cannot be read is `undefined` and does not hide the others. */
  async getMany(keys: string[]): Promise<unknown[]> {
    return keys.map((key) => {
      try {
        return this.#read(key);
      } catch {
        return undefined;
      }
    });
  }

  /** @throws The file system's error, for example of a directory that cannot be made or a full disk. */
  async set(key: string, value: unknown): Promise<boolean> {
    const path = this.#path(key);
    const temporary = `${path}.${process.pid.toString(16)}-${randomBytes(6).toString("hex")}.tmp`;
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    try {
      writeFileSync(temporary, JSON.stringify({ key, value }), { mode: 0o600, flag: "wx" });
      renameSync(temporary, path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
    await this.#tidyOnce();
    return true;
  }

  async delete(key: string): Promise<boolean> {
    const path = this.#path(key);
    const existed = this.#read(key) !== undefined;
    await rm(path, { force: true });
    return existed;
  }

  /** Removes every file of this store and nothing else that lies in its directory. */
  async clear(): Promise<void> {
    for (const name of await this.#names()) {
      if (name.endsWith(SUFFIX) || TEMPORARY.test(name)) await rm(join(this.#directory, name), { force: true });
    }
  }

  #read(key: string): unknown {
    let text: string;
    try {
      text = readFileSync(this.#path(key), "utf8");
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    try {
      const content: unknown = JSON.parse(text);
      return isRecord(content) && content["key"] === key ? content["value"] : undefined;
    } catch {
      // Cut off or overwritten by something else: as good as absent, and mended by the next write.
      return undefined;
    }
  }

  #path(key: string): string {
    const plain = /^[0-9a-z-]{1,100}$/.test(key);
    return join(this.#directory, `${plain ? key : createHash("sha256").update(key).digest("hex")}${SUFFIX}`);
  }

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.#directory);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** Best effort: the directory is made private if an older umask left it open, and forgotten files are removed. */
  async #tidyOnce(): Promise<void> {
    if (this.#tidied) return;
    this.#tidied = true;
    try {
      await chmod(this.#directory, 0o700);
      for (const name of await this.#names()) {
        const isTemporary = TEMPORARY.test(name);
        if (!isTemporary && !name.endsWith(SUFFIX)) continue;
        const path = join(this.#directory, name);
        const { mtimeMs } = await stat(path);
        const age = this.#now() - mtimeMs;
        if (age > (isTemporary ? TEMPORARY_LIFETIME_MS : this.#maxAge)) await rm(path, { force: true });
      }
    } catch {
      // Another process may tidy at the same time; the value that was to be written has been written.
    }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
