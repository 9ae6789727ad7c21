import { isDeepStrictEqual } from "node:util";

import type { MCPServerConfig } from "@toolgate/contracts";
import { assert, dictionary, property, string } from "fast-check";
import { expect, test } from "vitest";

import { createCacheKey } from "../src/cache-key.ts";

const config: MCPServerConfig = { command: "node", args: ["a"], env: { TOKEN: "sk-very-secret" } };

test("the key is a digest that shows nothing of the config", () => {
  expect(createCacheKey("server", config)).toMatch(/^[0-9a-f]{64}$/);
});

test("the order of the config's keys does not matter, and an undefined field is an absent one", () => {
  const turned = { env: { TOKEN: "sk-very-secret" }, args: ["a"], command: "node", cwd: undefined };
  expect(createCacheKey("server", turned as unknown as MCPServerConfig)).toBe(createCacheKey("server", config));
});

test.each<[string, string, MCPServerConfig, object | undefined]>([
  ["another server name", "other", config, undefined],
  ["another argument", "server", { ...config, args: ["b"] }, undefined],
  ["another variable's value", "server", { ...config, env: { TOKEN: "sk-other" } }, undefined],
  ["another tool filter", "server", { ...config, includeTools: ["x"] }, undefined],
  ["other declared capabilities", "server", config, { roots: {} }],
])("%s makes another key", (_, server, changed, clientCapabilities) => {
  const context = clientCapabilities === undefined ? {} : { clientCapabilities };
  expect(createCacheKey(server, changed, context)).not.toBe(createCacheKey("server", config));
});

test("the order of arguments matters", () => {
  const one = createCacheKey("server", { command: "node", args: ["a", "b"] });
  expect(createCacheKey("server", { command: "node", args: ["b", "a"] })).not.toBe(one);
});

test("environments share a key exactly when they are equal", () => {
  const environment = dictionary(string(), string());
  assert(
    property(environment, environment, (left, right) => {
      expect(keyOf(left) === keyOf(right)).toBe(isDeepStrictEqual({ ...left }, { ...right }));
      expect(keyOf(Object.fromEntries(Object.entries(left).toReversed()))).toBe(keyOf(left));
    }),
  );
});

function keyOf(env: Record<string, string>): string {
  return createCacheKey("server", { command: "node", env });
}
