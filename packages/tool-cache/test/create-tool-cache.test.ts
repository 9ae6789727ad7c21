import { ToolgateError } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { createToolCache } from "../src/index.ts";

const config = { command: "node" };
const entry = { tools: [], fetchedAt: Date.now() };

function errorOf(run: () => unknown): ToolgateError {
  try {
    run();
  } catch (error) {
    if (ToolgateError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

class MapAdapter extends Map<string, unknown> {
  constructor(..._ignored: unknown[]) {
    super();
  }
}

test("memory: keeps entries for its own instance only", async () => {
  const cache = createToolCache({ uri: "memory:" });
  await cache.set("server", config, entry);
  expect(await cache.get("server", config)).toEqual(entry);
  expect(await createToolCache({ uri: "memory:" }).get("server", config)).toBeNull();
});

test.each([
  ["redis://:hunter2@cache.example:6379/0", "@keyv/redis"],
  ["valkey://:hunter2@cache.example", "@keyv/valkey"],
  ["postgres://ada:hunter2@db.example/cache", "@keyv/postgres"],
  ["sqlite:cache.db", "@keyv/sqlite"],
])("an adapter that is not installed is named with the command that installs it: %s", (uri, packageName) => {
  const error = errorOf(() => createToolCache({ uri }));
  expect(error.code).toBe("CONFIG_INVALID");
  expect(error.message).toContain(`npm install ${packageName}`);
  expect(error.message).not.toContain("hunter2");
});

test.each(["mongodb://host", "constructor://host", "no-scheme", ""])("an unknown store is refused: %j", (uri) => {
  const error = errorOf(() => createToolCache({ uri }));
  expect(error.code).toBe("CONFIG_INVALID");
  expect(error.message).toContain("memory:");
});

test("adapters are constructed with what they take", async () => {
  const seen: unknown[] = [];
  class Adapter extends Map<string, unknown> {
    constructor(argument?: unknown) {
      super();
      seen.push(argument);
    }
  }
  for (const uri of ["redis://host", "valkey://host", "postgres://host/db", "sqlite:a.db", "sqlite:///tmp/a.db"]) {
    const cache = createToolCache({ uri, importModule: async () => ({ default: Adapter }) });
    await cache.set("server", config, entry);
    expect(await cache.get("server", config)).toEqual(entry);
  }
  expect(seen).toEqual([
    "redis://host",
    "redis://host",
    { uri: "postgres://host/db" },
    { uri: "sqlite://a.db" },
    { uri: "sqlite:///tmp/a.db" },
  ]);
});

test("an adapter that cannot be loaded is a warning at its first use, and tried again", async () => {
  const warnings: string[] = [];
  let attempts = 0;
  const cache = createToolCache({
    uri: "redis://host",
    logger: { debug() {}, info() {}, warn: (message) => void warnings.push(message), error() {} },
    async importModule() {
      attempts += 1;
      if (attempts === 1) throw new Error("cannot be loaded");
      return { default: MapAdapter };
    },
  });
  expect(await cache.get("server", config)).toBeNull();
  await cache.set("server", config, entry);
  expect(await cache.get("server", config)).toEqual(entry);
  expect(warnings).toHaveLength(1);
  await cache.disconnect();
});
