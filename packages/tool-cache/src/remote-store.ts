import { maskUrl, ToolgateError } from "@toolgate/contracts";
import type { KeyvStoreAdapter, StoredData } from "keyv";

/** npm packages of Keyv's adapters, by the scheme of the address. */
const ADAPTERS: Record<string, string> = {
  "redis:": "@keyv/redis",
  "rediss:": "@keyv/redis",
  "valkey:": "@keyv/valkey",
  "postgres:": "@keyv/postgres",
  "postgresql:": "@keyv/postgres",
  "sqlite:": "@keyv/sqlite",
};

/**
 * A store that loads its adapter at the first access, so that one that is configured and not needed costs nothing.
 *
 * @throws ToolgateError `CONFIG_INVALID` when no adapter is known for the address.
 */
export function createRemoteStore(uri: string): KeyvStoreAdapter {
  const scheme = /^[a-z]+:/i.exec(uri)?.[0].toLowerCase() ?? "";
  const adapter = ADAPTERS[scheme];
  if (adapter === undefined) {
    const known = Object.keys(ADAPTERS).join(", ");
    throw new ToolgateError(
      "CONFIG_INVALID",
      `The tool cache cannot use ${maskUrl(uri)}: its scheme must be one of memory:, ${known}.`,
    );
  }
  return new RemoteStore(uri, adapter);
}

class RemoteStore implements KeyvStoreAdapter {
  namespace?: string;
  opts: Record<string, unknown> = {};
  readonly #uri: string;
  readonly #adapter: string;
  readonly #listeners: ((error: unknown) => void)[] = [];
  #opening: Promise<KeyvStoreAdapter> | undefined;

  constructor(uri: string, adapter: string) {
    this.#uri = uri;
    this.#adapter = adapter;
  }

  on(event: string, listener: (error: unknown) => void): this {
    if (event === "error") this.#listeners.push(listener);
    return this;
  }

  async get<Value>(key: string): Promise<StoredData<Value> | undefined> {
    return (await this.#open()).get<Value>(key);
  }

  async getMany<Value>(keys: string[]): Promise<StoredData<Value | undefined>[]> {
    const store = await this.#open();
    if (store.getMany !== undefined) return store.getMany<Value>(keys);
    return Promise.all(keys.map(async (key) => (await store.get<Value>(key)) as StoredData<Value | undefined>));
  }

  async set(key: string, value: unknown): Promise<void> {
    await (await this.#open()).set(key, value);
  }

  async delete(key: string): Promise<boolean> {
    return (await this.#open()).delete(key);
  }

  async clear(): Promise<void> {
    await (await this.#open()).clear();
  }

  async disconnect(): Promise<void> {
    if (this.#opening !== undefined) await (await this.#opening).disconnect?.();
  }

  #open(): Promise<KeyvStoreAdapter> {
    this.#opening ??= this.#load();
    return this.#opening;
  }

  async #load(): Promise<KeyvStoreAdapter> {
    let module: { default: new (uri: string) => KeyvStoreAdapter };
    try {
      module = (await import(this.#adapter)) as typeof module;
    } catch (error) {
      const message = `The tool cache at ${maskUrl(this.#uri)} needs the package ${this.#adapter}. Install it with: npm install ${this.#adapter}`;
      throw new ToolgateError("CONFIG_INVALID", message, { cause: error });
    }
    const store = new module.default(this.#uri);
    for (const listener of this.#listeners) store.on?.("error", listener);
    return store;
  }
}
