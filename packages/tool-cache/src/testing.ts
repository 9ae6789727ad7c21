import { deepStrictEqual, notStrictEqual, strictEqual } from "node:assert/strict";

import type { CacheEntry, MaybePromise, MCPServerConfig } from "@toolgate/contracts";

import { MCPToolCache } from "./mcp-tool-cache.ts";
import type { ToolCacheStore } from "./tool-cache-store.ts";

/** A store under test; `close` is called after each test. */
export interface StoreUnderTest {
  store: ToolCacheStore;
  close?(): MaybePromise<void>;
}

/** The `test` function of the caller's own runner: Vitest's, Node's or another that takes a name and a function. */
export type TestFunction = (name: string, run: () => Promise<void>) => unknown;

/**
 * The contract suite of a store: registers tests that every store for {@link MCPToolCache} must pass.
 *
 * @param test - The runner's function.
 * @param factory - Makes an empty store; called anew for each test.
 * @example
 * ```ts
 * describeToolCacheStore(test, () => ({ store: new Keyv({ store: new KeyvRedis("redis://localhost") }) }));
 * ```
 */
export function describeToolCacheStore(test: TestFunction, factory: () => MaybePromise<StoreUnderTest>): void {
  const config: MCPServerConfig = { command: "node", args: ["server.mjs"], env: { API_KEY: "sk-contract-suite" } };
  const entry: CacheEntry = {
    tools: [
      {
        name: "größe/messen",
        description: "Line one\nline two \u0000 \u{1F4D0} '\"\\",
        inputSchema: { type: "object", properties: { "a.b": { type: "string", default: null } }, required: ["a.b"] },
        annotations: { readOnlyHint: true },
        _meta: { nested: [1, [2.5, { deep: false }]] },
      },
    ],
    fetchedAt: 1_700_000_000_000,
    era: "legacy",
    durations: { spawn: 1, initialize: 2.5, list: 3 },
  };

  function check(name: string, run: (cache: MCPToolCache, store: ToolCacheStore) => Promise<void>): void {
    test(name, async () => {
      const underTest = await factory();
      const { store } = underTest;
      try {
        await run(new MCPToolCache({ store, now: () => entry.fetchedAt, readTimeout: 20_000 }), store);
      } finally {
        await underTest.close?.();
      }
    });
  }

  check("an absent entry is a miss", async (cache) => {
    strictEqual(await cache.get("server", config), null);
    deepStrictEqual(
      await cache.getMany([
        { server: "server", config },
        { server: "other", config },
      ]),
      [null, null],
    );
  });

  check("an entry comes back as it was written", async (cache) => {
    await cache.set("server", config, entry);
    deepStrictEqual(await cache.get("server", config), entry);
  });

  check("a second write replaces the first", async (cache) => {
    await cache.set("server", config, entry);
    await cache.set("server", config, { tools: [], fetchedAt: entry.fetchedAt + 1 });
    deepStrictEqual(await cache.get("server", config), { tools: [], fetchedAt: entry.fetchedAt + 1 });
  });

  check("many lookups are answered in their order", async (cache) => {
    await cache.set("second", config, entry);
    await cache.set("third", config, { ...entry, tools: [] });
    const found = await cache.getMany(["first", "second", "third"].map((server) => ({ server, config })));
    deepStrictEqual(found, [null, entry, { ...entry, tools: [] }]);
  });

  check("concurrent writes of different servers are all kept", async (cache) => {
    const servers = Array.from({ length: 25 }, (_, index) => `server-${index}`);
    await Promise.all(servers.map((server) => cache.set(server, config, entry)));
    const found = await cache.getMany(servers.map((server) => ({ server, config })));
    strictEqual(found.filter((item) => item !== null).length, 25);
  });

  check("a large entry is kept whole", async (cache) => {
    const tools = Array.from({ length: 500 }, (_, index) => ({
      name: `tool_${index}`,
      description: "x".repeat(2000),
      inputSchema: { type: "object" as const },
    }));
    await cache.set("large", config, { ...entry, tools });
    deepStrictEqual((await cache.get("large", config))?.tools, tools);
  });

  check("what was changed after it was read or written is not changed in the store", async (cache) => {
    const own = structuredClone(entry);
    await cache.set("server", config, own);
    own.tools.length = 0;
    const read = await cache.get("server", config);
    notStrictEqual(read, null);
    if (read !== null) read.tools.length = 0;
    deepStrictEqual(await cache.get("server", config), entry);
  });

  check("delete forgets one server", async (cache) => {
    await cache.set("kept", config, entry);
    await cache.set("gone", config, entry);
    await cache.delete("gone", config);
    strictEqual(await cache.get("gone", config), null);
    deepStrictEqual(await cache.get("kept", config), entry);
  });

  check("clear forgets every server", async (cache) => {
    await cache.set("one", config, entry);
    await cache.set("two", config, entry);
    await cache.clear();
    deepStrictEqual(
      await cache.getMany([
        { server: "one", config },
        { server: "two", config },
      ]),
      [null, null],
    );
  });

  check("a value that is no entry is a miss, and the next write mends it", async (cache, store) => {
    const written: string[] = [];
    const spy = new MCPToolCache({
      store: { ...bind(store), set: (key, value) => (written.push(key), store.set(key, value)) },
      now: () => entry.fetchedAt,
    });
    await spy.set("server", config, entry);
    for (const key of written) await store.set(key, { format: 0, tools: "all of them" });
    strictEqual(await cache.get("server", config), null);
    await cache.set("server", config, entry);
    deepStrictEqual(await cache.get("server", config), entry);
  });
}

function bind(store: ToolCacheStore): ToolCacheStore {
  return {
    get: (key) => store.get(key),
    set: (key, value) => store.set(key, value),
    delete: (key) => store.delete(key),
    clear: () => store.clear(),
  };
}
