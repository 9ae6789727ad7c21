import { anything, assert, constantFrom, oneof, property, record } from "fast-check";
import { expect, test } from "vitest";

import { validateServerConfig } from "../src/index.ts";

test.each<[string, unknown]>([
  ["a command alone", { command: "node" }],
  ["everything a local server may carry", { type: "stdio", command: "node", args: [""], env: { A: "" }, cwd: "/" }],
  ["Streamable HTTP", { type: "http", url: "https://example.com/mcp", headers: { "X-Api-Key": "k" } }],
  ["SSE", { type: "sse", url: "http://localhost:3000/sse" }],
  [
    "limits, filters and auth",
    {
      command: "node",
      enabled: false,
      timeout: 0,
      startupTimeout: 1.5,
      includeTools: ["a*"],
      excludeTools: [],
      protocol: "modern",
      auth: { type: "bearer", token: "t" },
      oauth: {},
    },
  ],
  ["fields of other clients", { command: "node", disabledReason: 1, gallery: true }],
])("%s is fine", (_, config) => {
  expect(validateServerConfig("server", config)).toEqual([]);
});

test.each<[string, unknown, string]>([
  ["no object", null, "not an object"],
  ["an array", [], "not an object"],
  ["neither command nor URL", {}, '"command"'],
  ["an empty command", { command: " " }, '"command"'],
  ["a NUL in the command", { command: "a\0b" }, "NUL"],
  ["a URL without a type", { url: "https://example.com" }, 'add "type": "http"'],
  ["an unknown type", { type: "websocket", url: "wss://example.com" }, '"websocket"'],
  ["command and URL", { command: "node", url: "https://example.com" }, "exclude each other"],
  ["a command of a remote server", { type: "http", url: "https://example.com", command: "node" }, '"command"'],
  ["no URL", { type: "http" }, '"url"'],
  ["a URL that is none", { type: "sse", url: "example" }, "not a URL"],
  ["a URL of a file", { type: "http", url: "file:///etc/passwd" }, "http:// or https://"],
  ["arguments that are text", { command: "node", args: "a b" }, '"args"'],
  ["an argument that is a number", { command: "node", args: [1] }, '"args"'],
  ["a variable that is a number", { command: "node", env: { PORT: 80 } }, '"PORT"'],
  ["an empty cwd", { command: "node", cwd: "" }, '"cwd"'],
  ["a header name with a space", { type: "http", url: "https://e.com", headers: { "a b": "c" } }, '"a b"'],
  ["enabled as text", { command: "node", enabled: "no" }, '"enabled"'],
  ["a negative timeout", { command: "node", timeout: -1 }, '"timeout"'],
  ["an endless timeout", { command: "node", startupTimeout: Number.NaN }, '"startupTimeout"'],
  ["a filter that is text", { command: "node", includeTools: "a" }, '"includeTools"'],
  ["an unknown protocol", { command: "node", protocol: "2025" }, '"protocol"'],
  ["auth of another kind", { command: "node", auth: { type: "basic" } }, '"auth"'],
  ["oauth as text", { command: "node", oauth: "yes" }, '"oauth"'],
])("%s is a problem that names the field", (_, config, part) => {
  const problems = validateServerConfig("server", config);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(part);
});

test("every problem of an entry is told at once", () => {
  expect(validateServerConfig(" ", { command: "", args: 1, env: [], timeout: "1" })).toHaveLength(5);
});

test("a header value with a line break is a problem that does not show the value", () => {
  const headers = { Authorization: "Bearer sk-secret\r\nX-Evil: 1" };
  const problems = validateServerConfig("server", { type: "http", url: "https://example.com", headers });
  expect(problems.join()).toContain('"Authorization"');
  expect(problems.join()).not.toContain("sk-secret");
});

test("whatever a file holds, validation never throws and answers in sentences", () => {
  const part = oneof(anything(), constantFrom("stdio", "http", "sse", "https://example.com", "node", {}, []));
  const fields = ["type", "command", "args", "env", "cwd", "url", "headers", "enabled", "timeout", "auth", "oauth"];
  const entry = record(Object.fromEntries(fields.map((field) => [field, part])), { requiredKeys: [] });
  assert(
    property(anything(), oneof(anything(), entry), (name, config) => {
      const problems = validateServerConfig(name as string, config);
      expect(problems.every((problem) => typeof problem === "string" && problem !== "")).toBe(true);
    }),
  );
});
