import type { MCPServerConfig, SourceMeta } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { exaFilter, filterExaServers } from "../src/index.ts";

const source: SourceMeta = { provider: "native", providerName: "Toolgate", path: "/a/.mcp.json", level: "project" };

function remote(key: string): MCPServerConfig {
  return { type: "http", url: `https://mcp.exa.ai/mcp?exaApiKey=${key}` };
}

const configs: Record<string, MCPServerConfig> = {
  files: { command: "node", args: ["files.mjs"], env: { EXA_API_KEY: "of-files" } },
  web: remote("first"),
  Exa: { command: "npx", args: ["-y", "exa-mcp-server"], env: { EXA_API_KEY: "second" } },
  again: remote("first"),
  both: { type: "http", url: "https://mcp.exa.ai/?exaApiKey=third", headers: { "x-api-key": "fourth" } },
};
const sources = Object.fromEntries(Object.keys(configs).map((name) => [name, source]));

test(verifies("L14", "Exa servers are taken out of both maps, and their keys returned once, in order"), () => {
  const result = filterExaServers(configs, sources);
  expect(result).toEqual({
    configs: { files: configs["files"] },
    sources: { files: source },
    exaApiKeys: ["first", "second", "third", "fourth"],
  });
});

test("the input is not changed", () => {
  const frozen = Object.freeze({ ...configs });
  filterExaServers(frozen, Object.freeze({ ...sources }));
  expect(frozen).toEqual(configs);
});

test("the filter keeps the keys that others found", async () => {
  const result = await exaFilter.apply({ configs, sources, exaApiKeys: ["zeroth", "second"] });
  expect(result.exaApiKeys).toEqual(["zeroth", "second", "first", "third", "fourth"]);
  expect(Object.keys(result.configs)).toEqual(["files"]);
});

test("the filter runs also when nothing was found", async () => {
  expect(await exaFilter.apply({ configs: {}, sources: {} })).toEqual({ configs: {}, sources: {}, exaApiKeys: [] });
});

test("a server with a name of the object prototype is kept", () => {
  const odd = JSON.parse('{"__proto__": {"command": "node"}, "constructor": {"command": "node"}}');
  expect(Object.keys(filterExaServers(odd, {}).configs)).toEqual(["__proto__", "constructor"]);
});
