import type { MCPServerConfig, SourceMeta } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { exaFilter, extractExaApiKey, filterExaServers, isExaServer } from "../src/index.ts";

const KEY = "0f9c7a52-1111-4222-8333-abcdefabcdef";

test.each<[string, string, MCPServerConfig]>([
  ["name in any case", "ExA", { command: "anything" }],
  ["host of the url", "search", { type: "http", url: "https://mcp.exa.ai/mcp" }],
  ["host of an sse url", "search", { type: "sse", url: "https://mcp.exa.ai/sse?tools=x" }],
  ["host in an argument", "search", { command: "npx", args: ["-y", "mcp-remote", "https://mcp.exa.ai/mcp"] }],
  ["host behind a flag", "search", { command: "npx", args: ["mcp-remote", "--url=https://mcp.exa.ai/mcp"] }],
  ["package", "search", { command: "npx", args: ["-y", "exa-mcp-server"] }],
  ["package with a version", "search", { command: "npx", args: ["exa-mcp-server@3.4.1"] }],
  ["package in a path", "search", { command: "/opt/node_modules/exa-mcp-server/bin/cli.js" }],
])(verifies("L14", "recognised by %s"), (_how, name, config) => {
  expect(isExaServer(name, config)).toBe(true);
});

test.each<[string, MCPServerConfig]>([
  ["my-exa-notes", { command: "notes" }],
  ["lookalike", { type: "http", url: "https://mcp.exa.ai.example.com/mcp" }],
  ["prefix", { type: "http", url: "https://notmcp.exa.ai/mcp" }],
  ["path", { type: "http", url: "https://example.com/mcp.exa.ai" }],
  ["package", { command: "npx", args: ["my-exa-mcp-server"] }],
  ["broken", { command: "npx", args: 7 } as unknown as MCPServerConfig],
  ["no-url", { type: "http" } as unknown as MCPServerConfig],
])(verifies("L14", "%s is not taken for Exa"), (name, config) => {
  expect(isExaServer(name, config)).toBe(false);
});

test.each<[string, MCPServerConfig]>([
  ["url", { type: "http", url: `https://mcp.exa.ai/mcp?tools=a&exaApiKey=${KEY}#x` }],
  ["argument url", { command: "npx", args: ["mcp-remote", `https://mcp.exa.ai/mcp?exaApiKey=${KEY}`] }],
  ["argument", { command: "npx", args: ["exa-mcp-server", `exaApiKey=${KEY}`] }],
  ["flag with =", { command: "npx", args: ["exa-mcp-server", `--exaApiKey=${KEY}`] }],
  ["flag", { command: "npx", args: ["exa-mcp-server", "--exaApiKey", KEY] }],
  ["env", { command: "npx", args: ["exa-mcp-server"], env: { OTHER: "x", EXA_API_KEY: KEY } }],
  ["x-api-key", { type: "http", url: "https://mcp.exa.ai/mcp", headers: { "X-Api-Key": KEY } }],
  ["bearer header", { type: "http", url: "https://mcp.exa.ai/mcp", headers: { authorization: `Bearer ${KEY}` } }],
  ["auth", { type: "http", url: "https://mcp.exa.ai/mcp", auth: { type: "bearer", token: KEY } }],
])(verifies("L14", "the key is found in %s"), (_where, config) => {
  expect(extractExaApiKey(config)).toBe(KEY);
});

test.each([
  "",
  "${EXA_API_KEY}",
  "$EXA_API_KEY",
  "${input:exa}",
  "{env:EXA}",
  "YOUR_EXA_API_KEY",
  "<key>",
  "!op read exa",
  "xxxxx",
  "***",
])("%j is not a key", (value) => {
  expect(extractExaApiKey({ command: "npx", env: { EXA_API_KEY: value } })).toBeUndefined();
  expect(
    extractExaApiKey({ type: "http", url: `https://mcp.exa.ai/mcp?exaApiKey=${encodeURIComponent(value)}` }),
  ).toBeUndefined();
});

test(verifies("L14", "Exa servers are taken out with their sources, and each key is returned once"), async () => {
  const source = (path: string): SourceMeta => ({ provider: "p", providerName: "P", path, level: "user" });
  const configs: Record<string, MCPServerConfig> = {
    exa: { command: "npx", args: ["exa-mcp-server"], env: { EXA_API_KEY: KEY } },
    files: { command: "files" },
    search: { type: "http", url: `https://mcp.exa.ai/mcp?exaApiKey=${KEY}` },
    keyless: { type: "http", url: "https://mcp.exa.ai/mcp" },
  };
  const sources = Object.fromEntries(Object.keys(configs).map((name) => [name, source(name)]));
  const before = structuredClone(configs);
  const result = filterExaServers(configs, sources);
  expect({ ...result.configs }).toEqual({ files: configs["files"] });
  expect({ ...result.sources }).toEqual({ files: sources["files"] });
  expect(result.exaApiKeys).toEqual([KEY]);
  expect(configs).toEqual(before);
  expect(await exaFilter.apply({ configs: {}, sources: {} })).toMatchObject({ exaApiKeys: [] });
});
