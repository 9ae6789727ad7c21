import { toCredentialRecord } from "./credential-record.ts";
import type { CredentialStorage } from "./credential-storage.ts";
import { KeyQueue } from "./key-queue.ts";

/** What a Keyv instance has, and any store like it. */
export interface KeyvLike {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}

const PREFIX = "mcp-credentials:";

/**
 * Keeps sign-ins in a Keyv instance or a store like it.
 *
 * The store sees tokens: encrypt them there if it is shared. Such a store has no lock, so that updates are one after the
 * other in this process only; of two processes that refresh at once, the loser takes what the winner has written.
 */
export function createKeyvCredentialStorage(store: KeyvLike): CredentialStorage {
  const queue = new KeyQueue();
  const read = async (key: string) => toCredentialRecord(await store.get(PREFIX + key), key);
  return {
    read,
    update: (key, change) =>
      queue.run(key, async () => {
        const current = await read(key);
        const next = await change(current);
        if (next === undefined) return read(key);
        await store.set(PREFIX + key, next);
        return next;
      }),
    delete: (key) =>
      queue.run(key, async () => {
        await store.delete(PREFIX + key);
      }),
  };
}
