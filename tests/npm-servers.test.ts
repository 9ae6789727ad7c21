import type { MCPServerConfig } from "@toolgate/contracts";
import type { MCPLoadResult } from "@toolgate/mcp-manager";
import { DeferredMCPTool, MCPManager } from "@toolgate/mcp-manager";
import { createToolCache } from "@toolgate/tool-cache";
import { expect, test } from "vitest";

import { npmServer, startEverything } from "../packages/mcp-client/test/support/npm-servers.ts";
import { temporaryDirectory } from "../tooling/fixture-servers/index.mjs";

function fourServers(directory: string): Record<string, MCPServerConfig> {
  return {
    ev: npmServer("server-everything", "stdio"),
    files: npmServer("server-filesystem", directory),
    memory: { ...npmServer("server-memory"), env: { MEMORY_FILE_PATH: `${directory}/memory.json` } },
    think: npmServer("server-sequential-thinking"),
  };
}

async function call({ tools }: MCPLoadResult, name: string, args: Record<string, unknown>): Promise<string> {
  const result = await tools.find((tool) => tool.name === name)?.execute(args);
  expect(result).toMatchObject({ isError: false });
  return JSON.stringify(result?.content);
}

test("the servers of npm start side by side, and each does its work", async () => {
  await using directory = await temporaryDirectory();
  await using manager = new MCPManager(directory.path);
  const servers = fourServers(directory.path);
  const result = await manager.connectServers(servers, {}, { startupTimeoutMs: Number.POSITIVE_INFINITY });
  expect(result.errors).toEqual(new Map());
  expect(result.connectedServers).toEqual(["ev", "files", "memory", "think"]);
  expect(manager.describeServers().map(({ name, tools }) => [name, tools])).toEqual([
    ["ev", 13],
    ["files", 14],
    ["memory", 9],
    ["think", 1],
  ]);
  expect(await call(result, "mcp_ev_get-sum", { a: 2, b: 40 })).toContain("42");
  const entities = [{ name: "Toolgate", entityType: "runtime", observations: ["starts servers"] }];
  await call(result, "mcp_memory_create_entities", { entities });
  expect(await call(result, "mcp_memory_read_graph", {})).toContain("starts servers");
  expect(await call(result, "mcp_files_list_directory", { path: directory.path })).toContain("memory.json");
  const thought = { thought: "one", thoughtNumber: 1, totalThoughts: 1, nextThoughtNeeded: false };
  expect(await call(result, "mcp_think_sequentialthinking", thought)).toContain("thoughtHistoryLength");
  const pids = manager.describeServers().map(({ pid }) => pid ?? 0);
  await manager.disconnectAll();
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

test.each([
  ["streamableHttp", "http", "mcp"],
  ["sse", "sse", "sse"],
] as const)("server-everything works over %s", async (mode, type, path) => {
  await using directory = await temporaryDirectory();
  const { port } = await startEverything(mode);
  await using manager = new MCPManager(directory.path);
  const remote = { ev: { type, url: `http://127.0.0.1:${port}/${path}` } };
  const result = await manager.connectServers(remote, {}, { startupTimeoutMs: Number.POSITIVE_INFINITY });
  expect(result.errors).toEqual(new Map());
  expect(result.tools).toHaveLength(13);
  expect(await call(result, "mcp_ev_echo", { message: "far" })).toContain("Echo: far");
});

test("with a cache and no time to wait all tools are there at once, and a call waits for its server", async () => {
  await using directory = await temporaryDirectory();
  const servers = fourServers(directory.path);
  const options = { toolCache: createToolCache({ directory: `${directory.path}/cache` }) };
  {
    await using cold = new MCPManager(directory.path, options);
    const { tools } = await cold.connectServers(servers, {}, { startupTimeoutMs: Number.POSITIVE_INFINITY });
    expect(tools).toHaveLength(37);
  }
  await using warm = new MCPManager(directory.path, options);
  const result = await warm.connectServers(servers, {}, { startupTimeoutMs: 0 });
  expect(result.connectedServers).toEqual([]);
  expect(result.tools).toHaveLength(37);
  expect(result.tools.filter((tool) => tool instanceof DeferredMCPTool)).toHaveLength(37);
  expect(await call(result, "mcp_ev_echo", { message: "from the cache" })).toContain("Echo: from the cache");
  expect(await call(result, "mcp_files_list_allowed_directories", {})).toContain(directory.path);
});
