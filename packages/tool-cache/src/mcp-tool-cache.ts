import type { CacheContext, CacheEntry, CacheRequest, Logger, MCPServerConfig, ToolCache } from "@toolgate/contracts";
import { messageOf, silentLogger } from "@toolgate/contracts";
import type { Keyv } from "keyv";

import { createCacheKey } from "./cache-key.ts";
import { fromStoredEntry, toStoredEntry } from "./stored-entry.ts";

/** How long an entry is used, in milliseconds: 30 days. */
export const DEFAULT_TTL_MS: number = 30 * 24 * 60 * 60 * 1000;

/** Options of {@link MCPToolCache}. */
export interface MCPToolCacheOptions {
  /** Any Keyv. Its own `ttl` must be unset. */
  store: Keyv;
  /** Milliseconds after which an entry is a miss. @default 30 days */
  ttl?: number;
  /** Milliseconds since 1970. @default Date.now */
  now?: () => number;
  /** Hears of a store that fails, once. @default silent */
  logger?: Logger;
}

/**
 * Remembers the tools of servers on a Keyv store. A store that fails or holds something else is a miss or a lost write,
 * reported once to the logger, and never an exception.
 */
export class MCPToolCache implements ToolCache {
  readonly #store: Keyv;
  readonly #ttl: number;
  readonly #now: () => number;
  readonly #logger: Logger;
  #hasWarned = false;

  constructor(options: MCPToolCacheOptions) {
    this.#store = options.store;
    this.#ttl = options.ttl ?? DEFAULT_TTL_MS;
    this.#now = options.now ?? Date.now;
    this.#logger = options.logger ?? silentLogger;
    // Keyv reports most failures of a store by this event, and without a listener some adapters throw.
    this.#store.on("error", (error: unknown) => this.#warn(error));
  }

  async get(server: string, config: MCPServerConfig, context?: CacheContext): Promise<CacheEntry | null> {
    const [entry = null] = await this.getMany([{ server, config, ...(context === undefined ? {} : { context }) }]);
    return entry;
  }

  /** Answers in the order of the requests, with one access to stores that can do so. */
  async getMany(requests: readonly CacheRequest[]): Promise<(CacheEntry | null)[]> {
    const keys = requests.map(({ server, config, context }) => createCacheKey(server, config, context));
    try {
      const values = await this.#store.getMany<unknown>(keys);
      return keys.map((_, index) => this.#read(values[index]));
    } catch (error) {
      this.#warn(error);
      return keys.map(() => null);
    }
  }

  // oxlint-disable-next-line max-params -- the port's signature
  async set(server: string, config: MCPServerConfig, entry: CacheEntry, context?: CacheContext): Promise<void> {
    try {
      await this.#store.set(createCacheKey(server, config, context), toStoredEntry(entry));
    } catch (error) {
      this.#warn(error);
    }
  }

  /** Forgets one server's tools. */
  async delete(server: string, config: MCPServerConfig, context?: CacheContext): Promise<void> {
    try {
      await this.#store.delete(createCacheKey(server, config, context));
    } catch (error) {
      this.#warn(error);
    }
  }

  /** Forgets everything. */
  async clear(): Promise<void> {
    try {
      await this.#store.clear();
    } catch (error) {
      this.#warn(error);
    }
  }

  /** Closes the store's connection, if it has one. */
  async disconnect(): Promise<void> {
    try {
      await this.#store.disconnect();
    } catch (error) {
      this.#warn(error);
    }
  }

  #read(value: unknown): CacheEntry | null {
    const entry = fromStoredEntry(value);
    return entry !== null && this.#now() - entry.fetchedAt <= this.#ttl ? entry : null;
  }

  #warn(error: unknown): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#logger.warn(
      `The tool cache cannot be used as it should: ${messageOf(error)}. Servers are started without it.`,
    );
  }
}
