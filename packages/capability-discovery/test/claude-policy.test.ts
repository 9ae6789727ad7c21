import { expect, test } from "vitest";

import { isPermitted } from "../src/providers/claude-policy.ts";

const stdio = { command: "npx", args: ["-y", "server"] };
const remote = { type: "http", url: "https://api.example.com/mcp" } as const;

test.each([
  ["no list permits", {}, stdio, true],
  ["a denied name", { deniedMcpServers: [{ serverName: "a" }] }, stdio, false],
  ["another denied name", { deniedMcpServers: [{ serverName: "b" }] }, stdio, true],
  ["a denied command", { deniedMcpServers: [{ serverCommand: ["npx", "-y", "server"] }] }, stdio, false],
  ["a denied command with other arguments", { deniedMcpServers: [{ serverCommand: ["npx"] }] }, stdio, true],
  ["a denied address", { deniedMcpServers: [{ serverUrl: "https://*.example.com/*" }] }, remote, false],
  ["a denied address of another host", { deniedMcpServers: [{ serverUrl: "https://*.example.org/*" }] }, remote, true],
  ["a denied exact address", { deniedMcpServers: [{ serverUrl: "https://api.example.com/mcp" }] }, remote, false],
  ["an empty allow list", { allowedMcpServers: [] }, stdio, false],
  ["an allowed name", { allowedMcpServers: [{ serverName: "a" }] }, stdio, true],
  [
    "an allowed name where commands are listed",
    { allowedMcpServers: [{ serverName: "a" }, { serverCommand: ["other"] }] },
    stdio,
    false,
  ],
  ["an allowed command", { allowedMcpServers: [{ serverCommand: ["npx", "-y", "server"] }] }, stdio, true],
  ["an allowed address", { allowedMcpServers: [{ serverUrl: "https://api.example.com/*" }] }, remote, true],
  [
    "allowed and denied",
    { allowedMcpServers: [{ serverName: "a" }], deniedMcpServers: [{ serverName: "a" }] },
    stdio,
    false,
  ],
  ["a list of the wrong kind", { deniedMcpServers: "a", allowedMcpServers: 5 }, stdio, true],
])("%s", (_name, settings, config, permitted) => {
  expect(isPermitted("a", config, settings)).toBe(permitted);
});
