import { createHash } from "node:crypto";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

import { toCredentialRecord } from "./credential-record.ts";
import type { CredentialRecord, CredentialStorage } from "./credential-storage.ts";
import { KeyQueue } from "./key-queue.ts";

// Whoever holds the lock may be waiting for an authorization server, 30 s at most; a dead process's lock is stale in ten.
const LOCK = {
  stale: 10_000,
  realpath: false,
  retries: { retries: 500, factor: 1.2, minTimeout: 10, maxTimeout: 150, randomize: true },
};

/** Sign-ins in files of one folder, see `createFileCredentialStorage`. */
export class CredentialFiles implements CredentialStorage {
  readonly #directory: string;
  readonly #queue = new KeyQueue();

  constructor(directory: string) {
    this.#directory = directory;
  }

  async read(key: string): Promise<CredentialRecord | undefined> {
    let text: string;
    try {
      text = await readFile(this.#fileOf(key), "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
    try {
      return toCredentialRecord(JSON.parse(text), key);
    } catch {
      // The error would quote the text.
      return undefined;
    }
  }

  update(key: string, change: Parameters<CredentialStorage["update"]>[1]): Promise<CredentialRecord | undefined> {
    return this.#locked(key, async (file, isHeld) => {
      const current = await this.read(key);
      const next = await change(current);
      if (next === undefined) return current;
      if (!isHeld()) {
        // A process that slept for long has lost its lock: what somebody else has written since is newer.
        const stored = await this.read(key);
        if (JSON.stringify(stored) !== JSON.stringify(current)) return stored;
      }
      const { default: writeFileAtomic } = await import("write-file-atomic");
      await writeFileAtomic(file, `${JSON.stringify(next, undefined, 2)}\n`, { mode: 0o600 });
      return next;
    });
  }

  async delete(key: string): Promise<void> {
    await this.#locked(key, async (file) => rm(file, { force: true }));
  }

  #fileOf(key: string): string {
    const host = new URL(key).host.replaceAll(/[^\w.-]/g, "_").slice(0, 100);
    const hash = createHash("sha256").update(key).digest("hex").slice(0, 32);
    return join(this.#directory, `${host}-${hash}.json`);
  }

  /** Runs a task while nobody else, here or in another process, is at the same file. */
  #locked<T>(key: string, task: (file: string, isHeld: () => boolean) => Promise<T>): Promise<T> {
    return this.#queue.run(key, async () => {
      const { lock } = await import("proper-lockfile");
      const file = this.#fileOf(key);
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      let held = true;
      const release = await lock(file, {
        ...LOCK,
        onCompromised: () => {
          held = false;
        },
      });
      try {
        return await task(file, () => held);
      } finally {
        await release().catch(() => {});
      }
    });
  }
}
