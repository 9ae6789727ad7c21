import { messageOf, silentLogger } from "@toolgate/contracts";
import type { CacheContext, CacheEntry, CacheRequest, Logger, MCPServerConfig, ToolCache } from "@toolgate/contracts";

import { createCacheKey } from "./cache-key.ts";
import { redactEntry } from "./redact-entry.ts";
import { fromStored, toStored } from "./stored-entry.ts";
import type { ToolCacheStore } from "./tool-cache-store.ts";

const DEFAULT_TTL_MS = 30 * 24 * 60 * 60 * 1000;
const DEFAULT_READ_TIMEOUT_MS = 1000;

/** Options of {@link MCPToolCache}. */
export interface MCPToolCacheOptions {
  /** A Keyv, a Keyv storage adapter or anything else that fits {@link ToolCacheStore}. */
  store: ToolCacheStore;
  /** Milliseconds that an entry is good for, counted from its `fetchedAt`. @default 30 days */
  ttl?: number;
  /** Milliseconds after which a lookup in a store that does not answer is a miss. @default 1000 */
  readTimeout?: number;
  /** Told once when the store fails; further failures are debug messages. @default silent */
  logger?: Logger;
  /** Milliseconds since 1970. @default Date.now */
  now?: () => number;
}

/**
 * Remembers the tools of MCP servers between sessions. Never throws: a store that fails is a miss or a lost write.
 *
 * The age of an entry is kept in the value and not as the store's own time to live, because stores delete what has
 * expired when it is read, and clocks of stores differ.
 */
export class MCPToolCache implements ToolCache {
  readonly #store: ToolCacheStore;
  readonly #ttl: number;
  readonly #readTimeout: number;
  readonly #logger: Logger;
  readonly #now: () => number;
  #warned = false;

  constructor(options: MCPToolCacheOptions) {
    this.#store = options.store;
    this.#ttl = options.ttl ?? DEFAULT_TTL_MS;
    this.#readTimeout = options.readTimeout ?? DEFAULT_READ_TIMEOUT_MS;
    this.#logger = options.logger ?? silentLogger;
    this.#now = options.now ?? Date.now;
    this.#store.on?.("error", (error) => this.#report("failed", error));
  }

  /** The remembered entry of one server, or `null`. */
  async get(server: string, config: MCPServerConfig, context?: CacheContext): Promise<CacheEntry | null> {
    const [entry = null] = await this.getMany([{ server, config, ...(context === undefined ? {} : { context }) }]);
    return entry;
  }

  /** Many lookups at once, answered in their order: one round trip where the store can do that. */
  async getMany(requests: readonly CacheRequest[]): Promise<(CacheEntry | null)[]> {
    try {
      const keys = requests.map((request) => createCacheKey(request.server, request.config, request.context));
      const values = await this.#withinTime(this.#readMany(keys));
      return keys.map((_, index) => this.#fresh(fromStored(values[index])));
    } catch (error) {
      this.#report("could not be read", error);
      return requests.map(() => null);
    }
  }

  /** Remembers the tools of one server. */
  // oxlint-disable-next-line max-params -- the port's signature
  async set(server: string, config: MCPServerConfig, entry: CacheEntry, context?: CacheContext): Promise<void> {
    try {
      const stored = toStored(redactEntry(config, entry));
      const kept = await this.#store.set(createCacheKey(server, config, context), stored);
      if (kept === false) this.#report("could not be written", "the store refused the value");
    } catch (error) {
      this.#report("could not be written", error);
    }
  }

  /** Forgets one server. */
  async delete(server: string, config: MCPServerConfig, context?: CacheContext): Promise<void> {
    try {
      await this.#store.delete(createCacheKey(server, config, context));
    } catch (error) {
      this.#report("could not be written", error);
    }
  }

  /** Forgets every server. */
  async clear(): Promise<void> {
    try {
      await this.#store.clear();
    } catch (error) {
      this.#report("could not be cleared", error);
    }
  }

  /** Closes the store's connection, where it has one: an open connection would keep the process alive. */
  async disconnect(): Promise<void> {
    try {
      await this.#store.disconnect?.();
    } catch (error) {
      this.#report("could not be closed", error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.disconnect();
  }

  async #readMany(keys: string[]): Promise<unknown[]> {
    if (this.#store.getMany !== undefined && keys.length > 1) return this.#store.getMany(keys);
    return Promise.all(keys.map((key) => this.#store.get(key)));
  }

  #fresh(entry: CacheEntry | null): CacheEntry | null {
    // A time far ahead comes from a wrong clock; believed, it would never grow old.
    return entry !== null && Math.abs(this.#now() - entry.fetchedAt) <= this.#ttl ? entry : null;
  }

  async #withinTime<T>(reading: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`the store did not answer within ${this.#readTimeout} ms`)),
        this.#readTimeout,
      );
    });
    try {
      return await Promise.race([reading, tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }

  #report(what: string, error: unknown): void {
    const message = `The tool cache ${what}: ${messageOf(error)}`;
    if (this.#warned) {
      this.#logger.debug(message);
      return;
    }
    this.#warned = true;
    this.#logger.warn(`${message}. Tools are listed afresh at each start until that is mended.`);
  }
}
