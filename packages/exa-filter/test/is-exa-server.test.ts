import type { MCPServerConfig } from "@toolgate/contracts";
import { anything, assert, property, string } from "fast-check";
import { expect, test } from "vitest";

import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { extractExaApiKey, isExaServer } from "../src/index.ts";

const local: MCPServerConfig = { command: "node", args: ["server.mjs"] };

test.each<[string, string, MCPServerConfig]>([
  ["the name", "exa", local],
  ["the name in capitals", "EXA", local],
  ["the host of its URL", "search", { type: "http", url: "https://mcp.exa.ai/mcp" }],
  ["the host over SSE", "search", { type: "sse", url: "https://MCP.EXA.AI:443/sse?exaApiKey=k" }],
  [
    "a URL among its arguments",
    "search",
    { command: "npx", args: ["-y", "mcp-remote", "https://mcp.exa.ai/mcp?exaApiKey=k"] },
  ],
  ["a URL inside an argument", "search", { command: "npx", args: ["mcp-remote", "--url=https://mcp.exa.ai/mcp"] }],
  ["its package", "search", { command: "npx", args: ["-y", "exa-mcp-server"] }],
  ["its package with a version", "search", { command: "npx", args: ["-y", "exa-mcp-server@3.4.1"] }],
  ["its package by option", "search", { command: "npx", args: ["--package=exa-mcp-server@latest", "start"] }],
  ["its package as a command", "search", { command: "/usr/local/bin/exa-mcp-server" }],
  ["its package as a folder", "search", { command: "node", args: ["/opt/node_modules/exa-mcp-server/build/index.js"] }],
  ["its package on Windows", "search", { command: "C:\\tools\\exa-mcp-server.cmd" }],
  ["its package in a shell line", "search", { command: "sh", args: ["-c", "exec npx -y exa-mcp-server 2>/dev/null"] }],
])(verifies("L14", "a server is Exa by %s"), (_, name, config) => {
  expect(isExaServer(name, config)).toBe(true);
});

test.each<[string, string, MCPServerConfig]>([
  ["a name that contains exa", "my-exa-notes", local],
  ["a name that begins with exa", "exact", local],
  ["a longer host", "search", { type: "http", url: "https://notmcp.exa.ai.evil.com/mcp" }],
  ["a host that ends in Exa's", "search", { type: "http", url: "https://notmcp.exa.ai/mcp" }],
  ["a user name that looks like the host", "search", { type: "http", url: "https://mcp.exa.ai@evil.com/mcp" }],
  [
    "the host in a path or a query",
    "search",
    { type: "http", url: "https://proxy.dev/mcp.exa.ai?to=https://mcp.exa.ai/" },
  ],
  ["a longer package", "search", { command: "npx", args: ["my-exa-mcp-server", "exa-mcp-server-tools"] }],
  ["an Exa key alone", "search", { ...local, env: { EXA_API_KEY: "k" } }],
])(verifies("L14", "a server is not Exa by %s"), (_, name, config) => {
  expect(isExaServer(name, config)).toBe(false);
});

test("nothing that a file may hold makes the recognition throw", () => {
  assert(
    property(string(), anything(), anything(), anything(), (name, command, args, map) => {
      const config = {
        command,
        args: [args, "https://["],
        url: map,
        env: map,
        headers: map,
      } as unknown as MCPServerConfig;
      expect(typeof isExaServer(name, config)).toBe("boolean");
      extractExaApiKey(config);
    }),
  );
});
