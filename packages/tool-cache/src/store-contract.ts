import type { CacheEntry } from "@toolgate/contracts";
import type { KeyvStoreAdapter } from "keyv";
import { Keyv } from "keyv";

import { MCPToolCache } from "./mcp-tool-cache.ts";

/** The test function of the caller's runner: vitest's, node:test's or jest's. */
export type TestFunction = (name: string, run: () => Promise<void>) => unknown;

const ENTRY: CacheEntry = {
  tools: [
    { name: "search", description: "Grüße 🙂", inputSchema: { type: "object", properties: { q: { type: "string" } } } },
  ],
  fetchedAt: 1_790_000_000_000,
  era: "legacy",
  durations: { spawn: 5, initialize: 300, list: 12 },
};
const CONFIG = { command: "server", env: { TOKEN: "a-secret-of-the-test" } };

/**
 * What a Keyv store must do to hold a tool cache.
 *
 * @param test - The runner's test function.
 * @param createStore - Gives an empty store; called for each test.
 */
export function describeToolCacheStore(
  test: TestFunction,
  createStore: () => Promise<KeyvStoreAdapter | Map<string, unknown>> | KeyvStoreAdapter | Map<string, unknown>,
): void {
  const open = async (): Promise<MCPToolCache> =>
    new MCPToolCache({
      store: new Keyv({ store: await createStore(), useKeyPrefix: false }),
      now: () => ENTRY.fetchedAt,
    });

  test("gives back what was stored", async () => {
    const cache = await open();
    await cache.set("server", CONFIG, ENTRY);
    assertEqual(await cache.get("server", CONFIG), ENTRY);
    await cache.disconnect();
  });

  test("an unknown key is a miss", async () => {
    const cache = await open();
    assertEqual(await cache.get("server", CONFIG), null);
    await cache.disconnect();
  });

  test("answers many requests in their order", async () => {
    const cache = await open();
    for (const name of ["a", "b", "c"])
      await cache.set(name, CONFIG, { ...ENTRY, fetchedAt: ENTRY.fetchedAt - name.charCodeAt(0) });
    const found = await cache.getMany(["c", "missing", "a"].map((server) => ({ server, config: CONFIG })));
    assertEqual(
      found.map((entry) => entry && ENTRY.fetchedAt - entry.fetchedAt),
      [99, null, 97],
    );
    await cache.disconnect();
  });

  test("a later write replaces an earlier one", async () => {
    const cache = await open();
    await cache.set("server", CONFIG, ENTRY);
    await cache.set("server", CONFIG, { ...ENTRY, tools: [] });
    assertEqual((await cache.get("server", CONFIG))?.tools, []);
    await cache.disconnect();
  });

  test("forgets one entry, and all", async () => {
    const cache = await open();
    await cache.set("a", CONFIG, ENTRY);
    await cache.set("b", CONFIG, ENTRY);
    await cache.delete("a", CONFIG);
    assertEqual(await cache.get("a", CONFIG), null);
    assertEqual(await cache.get("b", CONFIG), ENTRY);
    await cache.clear();
    assertEqual(await cache.get("b", CONFIG), null);
    await cache.disconnect();
  });
}

// The caller's assertions are unknown, so the suite has the one that it needs.
function assertEqual(actual: unknown, expected: unknown): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (found !== wanted) throw new Error(`Expected ${wanted}, got ${found}`);
}
