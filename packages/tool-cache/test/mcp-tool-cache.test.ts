import type { CacheEntry, MCPServerConfig } from "@toolgate/contracts";
import { Keyv } from "keyv";
import { expect, test } from "vitest";

import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { MCPToolCache } from "../src/index.ts";
import type { ToolCacheStore } from "../src/index.ts";

const config: MCPServerConfig = { command: "node" };
const DAY = 24 * 60 * 60 * 1000;
const entry: CacheEntry = { tools: [{ name: "echo", inputSchema: { type: "object" } }], fetchedAt: 100 * DAY };

test("an entry is good for 30 days after it was fetched", async () => {
  let now = entry.fetchedAt;
  const cache = new MCPToolCache({ store: new Keyv(), now: () => now });
  await cache.set("server", config, entry);
  now = entry.fetchedAt + 30 * DAY;
  expect(await cache.get("server", config)).toEqual(entry);
  now += 1;
  expect(await cache.get("server", config)).toBeNull();
  // A wrong clock is set right: the entry was not thrown away when it looked old.
  now = entry.fetchedAt + DAY;
  expect(await cache.get("server", config)).toEqual(entry);
});

test("an entry from far in the future is a miss", async () => {
  const cache = new MCPToolCache({ store: new Keyv(), now: () => entry.fetchedAt - 31 * DAY });
  await cache.set("server", config, entry);
  expect(await cache.get("server", config)).toBeNull();
});

test("the time to live can be chosen", async () => {
  const cache = new MCPToolCache({ store: new Keyv(), ttl: 1000, now: () => entry.fetchedAt + 1001 });
  await cache.set("server", config, entry);
  expect(await cache.get("server", config)).toBeNull();
});

test("servers that list other tools for other client capabilities have entries apart", async () => {
  const cache = new MCPToolCache({ store: new Keyv(), now: () => entry.fetchedAt });
  const roots = { clientCapabilities: { roots: {} } };
  await cache.set("everything", config, entry);
  await cache.set("everything", config, { ...entry, tools: [] }, roots);
  const requests = [
    { server: "everything", config },
    { server: "everything", config, context: roots },
  ];
  expect(await cache.getMany(requests)).toEqual([entry, { ...entry, tools: [] }]);
});

test("fields that the port does not know are not stored", async () => {
  const written: unknown[] = [];
  const store = { ...emptyStore(), set: async (_: string, value: unknown) => written.push(value) };
  const extended = { ...entry, authorization: "Bearer sk-secret" };
  await new MCPToolCache({ store }).set("server", config, extended);
  expect(written).toEqual([{ format: 1, tools: entry.tools, fetchedAt: entry.fetchedAt }]);
});

test("instructions are remembered with the tools, without the secrets of the entry", async () => {
  const cache = new MCPToolCache({ store: new Keyv(), now: () => entry.fetchedAt });
  const secretive: MCPServerConfig = { command: "node", env: { API_TOKEN: "token-0123456789" } };
  await cache.set("server", secretive, { ...entry, instructions: "Log in with token-0123456789." });
  const remembered = await cache.get("server", secretive);
  expect(remembered?.tools).toEqual(entry.tools);
  expect(remembered?.instructions).toMatch(/^Log in with .+\.$/);
  expect(remembered?.instructions).not.toContain("0123456789");
});

test("an entry whose instructions are no text is a miss", async () => {
  const store = new Keyv();
  const cache = new MCPToolCache({ store, now: () => entry.fetchedAt });
  await cache.set("server", config, { ...entry, instructions: "Ask." });
  expect(await cache.get("server", config)).toEqual({ ...entry, instructions: "Ask." });
  const damaged = { ...emptyStore(), get: async () => ({ format: 1, ...entry, instructions: 7 }) };
  expect(await new MCPToolCache({ store: damaged, now: () => entry.fetchedAt }).get("server", config)).toBeNull();
});

test.each<[string, ToolCacheStore]>([
  ["rejects", failing(async () => Promise.reject(new Error("disk on fire")))],
  [
    "throws",
    failing(() => {
      throw new Error("disk on fire");
    }),
  ],
])(verifies("L62", "a store that %s is misses and lost writes, reported by one warning"), async (_, store) => {
  const messages: string[] = [];
  const cache = new MCPToolCache({ store, logger: logger(messages) });
  expect(await cache.get("server", config)).toBeNull();
  expect(
    await cache.getMany([
      { server: "a", config },
      { server: "b", config },
    ]),
  ).toEqual([null, null]);
  await cache.set("server", config, entry);
  await cache.delete("server", config);
  await cache.clear();
  await cache.disconnect();
  expect(messages.filter((message) => message.startsWith("warn"))).toHaveLength(1);
  expect(messages[0]).toContain("disk on fire");
  expect(messages.filter((message) => message.startsWith("debug"))).toHaveLength(5);
});

test("a failure that Keyv reports as an event is a warning, not an uncaught error", async () => {
  const messages: string[] = [];
  const store = new Keyv({ store: failing(async () => Promise.reject(new Error("connection lost"))) });
  const cache = new MCPToolCache({ store, logger: logger(messages) });
  await cache.set("server", config, entry);
  expect(await cache.get("server", config)).toBeNull();
  expect(messages[0]).toContain("connection lost");
});

test(verifies("L62", "a store that never answers is a miss after the read timeout"), async () => {
  const messages: string[] = [];
  const store = failing(() => new Promise<never>(() => {}));
  const cache = new MCPToolCache({ store, readTimeout: 1, logger: logger(messages) });
  expect(await cache.get("server", config)).toBeNull();
  expect(messages[0]).toContain("did not answer within 1 ms");
});

test("a tool list that cannot be written as JSON is a lost write", async () => {
  const circular: Record<string, unknown> & { type: "object" } = { type: "object" };
  circular["self"] = circular;
  const messages: string[] = [];
  const cache = new MCPToolCache({ store: new Keyv(), logger: logger(messages) });
  await cache.set("server", config, { ...entry, tools: [{ name: "loop", inputSchema: circular }] });
  expect(await cache.get("server", config)).toBeNull();
  expect(messages[0]).toContain("could not be written");
});

test("disposing of the cache closes its store", async () => {
  let closed = 0;
  const store = { ...emptyStore(), disconnect: async () => (closed += 1) };
  {
    await using cache = new MCPToolCache({ store });
    await cache.get("server", config);
  }
  expect(closed).toBe(1);
});

function emptyStore(): ToolCacheStore {
  return { get: async () => undefined, set: async () => true, delete: async () => true, clear: async () => {} };
}

function failing(fail: () => Promise<never>): ToolCacheStore {
  return { get: fail, getMany: fail, set: fail, delete: fail, clear: fail, disconnect: fail };
}

function logger(messages: string[]) {
  const log = (level: string) => (message: string) => void messages.push(`${level}: ${message}`);
  return { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") };
}
