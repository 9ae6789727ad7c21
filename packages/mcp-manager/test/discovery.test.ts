import { existsSync } from "node:fs";

import { expect, test } from "vitest";

import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { createWorkbench } from "./support/workbench.ts";

test(verifies("L13", "a disabled server is listed as disabled and never started"), async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager({ home: bench.directory, providers: [] });
  const off = { ...bench.server("off"), enabled: false };
  const { disabled, connectedServers } = await manager.discoverAndConnect({
    runtimeServers: { off, on: bench.server("on") },
  });
  expect(disabled).toMatchObject({ off: { config: off, source: { level: "runtime" } } });
  expect(connectedServers).toEqual(["on"]);
  expect(manager.describeServers().map(({ name }) => name)).toEqual(["on"]);
  expect(existsSync(`${bench.directory}/off.pid`)).toBe(false);
});

test(verifies("L14", "Exa servers are taken out by default, and their keys are returned"), async () => {
  await using bench = await createWorkbench();
  const exa = { command: "npx", args: ["exa-mcp-server"], env: { EXA_API_KEY: "exa-key-0123456789" } };
  const manager = bench.createManager({ home: bench.directory, providers: [], runtimeServers: { search: exa } });
  const { configs, filtered, exaApiKeys } = await manager.loadConfigs();
  expect(Object.keys(configs)).toEqual([]);
  expect(filtered).toMatchObject({ search: { config: exa } });
  expect(exaApiKeys).toEqual(["exa-key-0123456789"]);
  expect(Object.keys((await manager.loadConfigs({ filterExa: false })).configs)).toEqual(["search"]);
});
