import fc from "fast-check";
import { expect, test } from "vitest";

import { validateServerConfig } from "../src/index.ts";

test.each<[string, unknown]>([
  ["a command", { command: "npx" }],
  [
    "everything of a stdio entry",
    { type: "stdio", command: "npx", args: ["-y"], env: { A: "" }, cwd: "/p", enabled: false },
  ],
  ["an http entry", { type: "http", url: "https://docs.example/mcp", headers: { "x-key": "v" }, timeout: 0 }],
  ["an sse entry", { type: "sse", url: "http://[::1]:3000/sse", protocol: "legacy", includeTools: ["a*"] }],
  ["a bearer token", { type: "http", url: "https://docs.example", auth: { type: "bearer", token: "t" }, oauth: {} }],
])("%s is fine", (_what, config) => {
  expect(validateServerConfig("s", config)).toEqual([]);
});

test.each<[string, unknown, RegExp]>([
  ["no object", "npx", /not an object/],
  ["nothing in it", {}, /"command"/],
  ["an empty command", { command: " " }, /"command"/],
  ["a NUL in the command", { command: "a\0b" }, /NUL/],
  ["a url without type", { url: "https://docs.example" }, /"url" without "type"/],
  ["both command and url", { command: "x", url: "https://docs.example" }, /exclude each other/],
  ["an unknown type", { type: "ws", url: "ws://x" }, /"ws"/],
  ["no url", { type: "http" }, /"url"/],
  ["another scheme", { type: "http", url: "file:///etc/passwd" }, /http:\/\//],
  ["args that are no strings", { command: "x", args: [1] }, /"args"/],
  ["env that holds numbers", { command: "x", env: { PORT: 3000 } }, /"PORT"/],
  ["a negative timeout", { command: "x", timeout: -1 }, /"timeout"/],
  ["an infinite timeout", { command: "x", startupTimeout: Number.POSITIVE_INFINITY }, /"startupTimeout"/],
  ["a header name with a blank", { type: "http", url: "http://x", headers: { "a b": "v" } }, /"a b"/],
])("%s is a problem that names the field", (_what, config, problem) => {
  expect(validateServerConfig("s", config).join("; ")).toMatch(problem);
});

test("a header value with a line break is a problem, and the value is not repeated", () => {
  const problems = validateServerConfig("s", { type: "http", url: "http://x", headers: { auth: "secret\r\nX: y" } });
  expect(problems).toHaveLength(1);
  expect(problems[0]).not.toContain("secret");
});

test("nothing makes it throw", () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true }),
      (name, config) => {
        expect(Array.isArray(validateServerConfig(name, config))).toBe(true);
      },
    ),
  );
  const fields = fc.constantFrom(
    "type",
    "command",
    "url",
    "args",
    "env",
    "headers",
    "timeout",
    "auth",
    "oauth",
    "enabled",
  );
  fc.assert(
    fc.property(fc.dictionary(fields, fc.anything()), (config) => {
      expect(Array.isArray(validateServerConfig("s", config))).toBe(true);
    }),
  );
});
