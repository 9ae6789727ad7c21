import type { MCPServerConfig } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { extractExaApiKey } from "../src/index.ts";

const key = "4f9d1c2e-7a60-4b1f-9a55-0c7d6e3b8a11";

test.each<[string, MCPServerConfig]>([
  ["the query of its URL", { type: "http", url: `https://mcp.exa.ai/mcp?tools=a&exaApiKey=${key}#top` }],
  ["a URL among its arguments", { command: "npx", args: ["mcp-remote", `https://mcp.exa.ai/mcp?exaApiKey=${key}`] }],
  ["an argument of its own", { command: "npx", args: ["exa-mcp-server", `exaApiKey=${key}`] }],
  ["an option with =", { command: "npx", args: ["exa-mcp-server", `--exaApiKey=${key}`] }],
  ["an option and its value", { command: "npx", args: ["exa-mcp-server", "--exa-api-key", key] }],
  ["a variable of a container", { command: "docker", args: ["run", "-e", `EXA_API_KEY=${key}`, "exa"] }],
  ["a variable in a shell line", { command: "sh", args: ["-c", `EXA_API_KEY="${key}" npx exa-mcp-server`] }],
  ["a header among its arguments", { command: "npx", args: ["mcp-remote", "--header", `x-api-key: ${key}`] }],
  ["its environment", { command: "npx", env: { OTHER: "x", EXA_API_KEY: key } }],
  ["the header x-api-key", { type: "http", url: "https://mcp.exa.ai/mcp", headers: { "X-Api-Key": key } }],
  [
    "the header Authorization",
    { type: "http", url: "https://mcp.exa.ai/mcp", headers: { authorization: `Bearer ${key}` } },
  ],
  ["its bearer token", { type: "http", url: "https://mcp.exa.ai/mcp", auth: { type: "bearer", token: key } }],
])(verifies("L14", "the key is found in %s"), (_, config) => {
  expect(extractExaApiKey(config)).toBe(key);
});

test(verifies("L14", "a key in a URL is decoded"), () => {
  expect(extractExaApiKey({ type: "http", url: "https://mcp.exa.ai/mcp?exaApiKey=a%2Bb%2Fc%3D" })).toBe("a+b/c=");
});

test.each([
  "${EXA_API_KEY}",
  "${input:exa-key}",
  "$EXA_API_KEY",
  "%EXA_API_KEY%",
  "{env:EXA_API_KEY}",
  "{{exaApiKey}}",
  "<your key>",
  "EXA_API_KEY",
  "YOUR_KEY",
  "your-exa-api-key",
  "yourApiKey",
  "YOUR_EXA_API_KEY_HERE",
  "insert_key_here",
  "xxxxxxxx",
  "***",
  "!pass show exa",
  "",
  "  ",
])(verifies("L14", "a placeholder is no key: %j"), (placeholder) => {
  expect(extractExaApiKey({ command: "npx", env: { EXA_API_KEY: placeholder } })).toBeUndefined();
  const url = `https://mcp.exa.ai/mcp?exaApiKey=${encodeURIComponent(placeholder)}`;
  expect(extractExaApiKey({ type: "http", url })).toBeUndefined();
});

test("a placeholder does not hide a key elsewhere in the entry", () => {
  const url = "https://mcp.exa.ai/mcp?exaApiKey=${EXA_API_KEY}";
  expect(extractExaApiKey({ type: "http", url, headers: { "x-api-key": key } })).toBe(key);
});

test("an option without a value has no key", () => {
  expect(extractExaApiKey({ command: "npx", args: ["--exaApiKey", "--verbose"] })).toBeUndefined();
  expect(extractExaApiKey({ command: "npx", args: ["--exaApiKey"] })).toBeUndefined();
});

test("other keys and other authentication schemes are not Exa's", () => {
  expect(extractExaApiKey({ command: "npx", args: ["--apiKey=abc"], env: { OTHER_API_KEY: "abc" } })).toBeUndefined();
  const headers = { authorization: "Basic YWRhOmh1bnRlcjI=" };
  expect(extractExaApiKey({ type: "http", url: "https://mcp.exa.ai/mcp", headers })).toBeUndefined();
});
