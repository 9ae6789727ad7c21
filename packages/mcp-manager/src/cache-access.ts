import type { CacheContext, CacheEntry, Logger, ProtocolEra, ToolCache } from "@toolgate/contracts";
import { messageOf } from "@toolgate/contracts";

import type { Clock } from "./clock.ts";
import { declaredCapabilities } from "./host-handlers.ts";
import type { MCPManagerOptions } from "./manager-options.ts";
import type { ServerStart } from "./server-registry.ts";

// A store that hangs, a remote one for example, must not hold up a start.
const READ_TIMEOUT_MS = 1000;
const WRITE_TIMEOUT_MS = 500;
// A handshake can do without: the server then says itself which era it speaks.
const ERA_TIMEOUT_MS = 100;

/** The tool cache as the manager uses it: best effort, bounded in time, never a reason to fail. */
export class CacheAccess {
  readonly #cache: ToolCache | undefined;
  readonly #context: CacheContext;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** By server. */
  readonly #lastWrites = new Map<string, Promise<void>>();

  constructor(options: MCPManagerOptions, effects: { clock: Clock; logger: Logger }) {
    this.#cache = options.toolCache;
    this.#context = { clientCapabilities: declaredCapabilities(options) };
    this.#clock = effects.clock;
    this.#logger = effects.logger;
  }

  /** Puts into each start what is remembered about its server, or null. Never rejects. */
  async read(starts: readonly ServerStart[]): Promise<void> {
    const cache = this.#cache;
    if (cache === undefined || starts.length === 0) {
      for (const start of starts) start.cached = null;
      return;
    }
    try {
      const entries = await this.#bounded(this.#readAll(cache, starts), READ_TIMEOUT_MS);
      if (entries === undefined) this.#logger.warn(`The tool cache did not answer within ${READ_TIMEOUT_MS} ms.`);
      for (const [index, start] of starts.entries()) start.cached = entries?.[index] ?? null;
    } catch (error) {
      this.#logger.warn(`The tool cache could not be read: ${messageOf(error)}`);
      for (const start of starts) start.cached = null;
    }
  }

  /** The protocol era that a server spoke the last time, as soon as `read` says. Never rejects. */
  rememberedEra(start: ServerStart, read: Promise<void>): Promise<ProtocolEra | undefined> {
    if (this.#cache === undefined) return Promise.resolve(undefined);
    return this.#bounded(
      read.then(() => start.cached?.era),
      ERA_TIMEOUT_MS,
    );
  }

  /** Remembers a server's tools, in the background; a later list of a server is written after an earlier one. */
  write(start: ServerStart, entry: CacheEntry): void {
    const cache = this.#cache;
    if (cache === undefined) return;
    const set = (): Promise<void> => cache.set(start.name, start.config, entry, this.#context);
    const earlier = this.#lastWrites.get(start.name);
    const write = (earlier === undefined ? set() : earlier.then(set)).catch((error: unknown) => {
      this.#logger.warn(`The tools of ${start.name} could not be cached: ${messageOf(error)}`);
    });
    this.#lastWrites.set(start.name, write);
    void write.finally(() => {
      if (this.#lastWrites.get(start.name) === write) this.#lastWrites.delete(start.name);
    });
  }

  /** Waits for the writes that are under way, for a bounded time. */
  async settleWrites(): Promise<void> {
    if (this.#lastWrites.size === 0) return;
    await this.#bounded(Promise.allSettled(this.#lastWrites.values()), WRITE_TIMEOUT_MS);
  }

  #readAll(cache: ToolCache, starts: readonly ServerStart[]): Promise<(CacheEntry | null)[]> {
    const requests = starts.map(({ name, config }) => ({ server: name, config, context: this.#context }));
    if (cache.getMany !== undefined) return cache.getMany(requests);
    return Promise.all(requests.map(({ server, config, context }) => cache.get(server, config, context)));
  }

  async #bounded<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
    let cancel = (): void => {};
    const timeIsUp = new Promise<undefined>((resolve) => {
      cancel = this.#clock.schedule(() => resolve(undefined), milliseconds);
    });
    try {
      return await Promise.race([work, timeIsUp]);
    } finally {
      cancel();
    }
  }
}
