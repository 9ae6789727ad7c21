import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { KeyvStoreAdapter, StoredData } from "keyv";

const ENDING = ".json";
const TEMPORARY_ENDING = ".tmp";

/**
 * A Keyv store of one file per key. Reads are synchronous: what is read at startup is small, local and needed at once,
 * and a round through the thread pool for each file would take longer. A file appears whole or not at all, so any number
 * of processes may write.
 */
export class FileStore implements KeyvStoreAdapter {
  namespace?: string;
  opts: Record<string, unknown> = {};
  readonly #directory: string;
  #writes = 0;

  /** @param directory - Created with the first write; mode 0700, its files 0600. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Keyv listens for failures; this store throws them to the call that they belong to. */
  on(): this {
    return this;
  }

  async get<Value>(key: string): Promise<StoredData<Value> | undefined> {
    return this.#read(key) as StoredData<Value>;
  }

  async getMany<Value>(keys: string[]): Promise<StoredData<Value | undefined>[]> {
    return keys.map((key) => this.#read(key) as StoredData<Value | undefined>);
  }

  async set(key: string, value: string): Promise<void> {
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    this.#writes += 1;
    const file = this.#fileOf(key);
    const temporary = `${file}.${process.pid}-${this.#writes}${TEMPORARY_ENDING}`;
    try {
      writeFileSync(temporary, value, { mode: 0o600, flag: "wx" });
      renameSync(temporary, file);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }

  async delete(key: string): Promise<boolean> {
    rmSync(this.#fileOf(key), { force: true });
    return true;
  }

  /** Removes the store's files, those of writers that were interrupted among them, and nothing else. */
  async clear(): Promise<void> {
    for (const name of this.#list()) rmSync(join(this.#directory, name), { force: true });
  }

  #list(): string[] {
    try {
      return readdirSync(this.#directory).filter((name) => /^[0-9a-z_-]+\.json(?:\.[0-9-]+\.tmp)?$/i.test(name));
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  // A file that is not JSON is a miss here, before Keyv would throw on it; the next write mends it.
  #read(key: string): string | undefined {
    let text: string;
    try {
      text = readFileSync(this.#fileOf(key), "utf8");
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    try {
      JSON.parse(text);
      return text;
    } catch {
      return undefined;
    }
  }

  #fileOf(key: string): string {
    // Keyv puts a namespace and a colon in front, and a colon is no part of a file's name on Windows.
    return join(this.#directory, `${key.replace(/[^0-9a-zA-Z_-]/g, "_")}${ENDING}`);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
