import { setImmediate as aTurn } from "node:timers/promises";

import type { Logger, ToolCache } from "@toolgate/contracts";
import { silentLogger } from "@toolgate/contracts";
import { createToolCache } from "@toolgate/tool-cache";
import { expect, test } from "vitest";

import { waitFor } from "../../../tooling/fixture-servers/index.mjs";
import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { DeferredMCPTool } from "../src/deferred-mcp-tool.ts";
import { MCPTool } from "../src/mcp-tool.ts";
import { createManualClock } from "./support/manual-clock.ts";
import { createWorkbench, nextEvent, textOf } from "./support/workbench.ts";

test(
  verifies(
    "L30 L31 L33 L34",
    "at the gate ready servers have live tools, failed ones errors, pending ones deferred tools",
  ),
  async () => {
    await using bench = await createWorkbench();
    const gate = bench.gate("go");
    const configs = {
      ready: bench.server("ready"),
      failed: bench.server("failed", { exitAt: "start" }),
      slow: bench.server("slow", { waitForFile: { initialize: gate }, toolCount: 2 }),
    };
    bench.open(gate);
    await bench.fillCache(configs);
    const { rm } = await import("node:fs/promises");
    await rm(gate);

    const warnings: string[] = [];
    const logger: Logger = { ...silentLogger, warn: (message) => warnings.push(message) };
    const manager = bench.createManager({ startupTimeoutMs: 5000, logger });
    const fell = nextEvent(manager, "gate");
    const { tools, errors, connectedServers } = await manager.connectServers(configs);
    expect((await fell).pending).toEqual(["slow"]);
    expect(connectedServers).toEqual(["ready"]);
    expect([...errors.keys()]).toEqual(["failed"]);
    expect(warnings).toEqual([]);
    expect(tools.filter((tool) => tool instanceof MCPTool).every((tool) => tool.name.startsWith("mcp_ready_"))).toBe(
      true,
    );
    const deferred = tools.filter((tool) => tool instanceof DeferredMCPTool);
    expect(deferred.map((tool) => tool.name)).toEqual(["mcp_slow_tool0", "mcp_slow_tool1"]);
    expect(manager.describeServers().find(({ name }) => name === "slow")).toMatchObject({
      status: "connecting",
      cached: true,
    });

    const changed = nextEvent(manager, "tools-changed");
    bench.open(gate);
    const event = await changed;
    expect(event.server).toBe("slow");
    expect(manager.getTools().every((tool) => tool instanceof MCPTool)).toBe(true);
    expect(manager.getTools().map((tool) => tool.name)).toEqual(tools.map((tool) => tool.name));
  },
);

test(verifies("L32", "a pending server without cached tools is awaited"), async () => {
  await using bench = await createWorkbench();
  const gate = bench.gate("go");
  const manager = bench.createManager({ startupTimeoutMs: 0 });
  const fell = nextEvent(manager, "gate");
  let returned = false;
  const connecting = manager
    .connectServers({ s: bench.server("s", { waitForFile: { "tools/list": gate } }) })
    .then((result) => {
      returned = true;
      return result;
    });
  expect((await fell).pending).toEqual(["s"]);
  await bench.waitForMethod("s", "tools/list");
  expect(returned).toBe(false);
  bench.open(gate);
  const { tools, errors } = await connecting;
  expect(tools.length).toBeGreaterThan(0);
  expect(errors.size).toBe(0);
});

test(
  verifies("L32 L33", "with uncachedPending: defer the start returns without it, and its tools arrive late"),
  async () => {
    await using bench = await createWorkbench();
    const gate = bench.gate("go");
    const manager = bench.createManager({ startupTimeoutMs: 0, uncachedPending: "defer" });
    const { tools, errors } = await manager.connectServers({
      s: bench.server("s", { waitForFile: { initialize: gate } }),
    });
    expect(tools).toEqual([]);
    expect(errors.size).toBe(0);
    const changed = nextEvent(manager, "tools-changed");
    bench.open(gate);
    expect((await changed).tools.length).toBeGreaterThan(0);
  },
);

test(
  verifies("L35", "with a gate of 0 and everything cached the tools are there before any process is spawned"),
  async () => {
    await using bench = await createWorkbench();
    const configs = { a: bench.server("a"), b: bench.server("b") };
    await bench.fillCache(configs);
    const cache = createToolCache({ directory: `${bench.directory}/cache` });
    const get: ToolCache["get"] = async (...request) => {
      await aTurn();
      await aTurn();
      return cache.get(...request);
    };
    const manager = bench.createManager({
      startupTimeoutMs: 0,
      // A store that takes longer than a spawn would.
      toolCache: { get, set: (...entry) => cache.set(...entry) },
    });
    const phases: string[] = [];
    manager.subscribe((event) => {
      if (event.type === "server-status" && event.phase !== undefined) phases.push(event.phase);
    });
    const { tools } = await manager.connectServers(configs);
    expect(tools.length).toBeGreaterThan(0);
    expect(tools.every((tool) => tool instanceof DeferredMCPTool)).toBe(true);
    expect(phases).not.toContain("spawning");
    const echo = tools.find((tool) => tool.name === "mcp_a_echo");
    expect(textOf((await echo?.execute({ text: "worth the wait" })) ?? { content: [] })).toBe("worth the wait");
  },
);

test(verifies("L30 L35", "the gate falls 250 ms after the call, on the manager's clock"), async () => {
  await using bench = await createWorkbench();
  const configs = { s: bench.server("s", { neverAnswer: ["tools/list"] }) };
  await bench.fillCache({ s: bench.server("s") });
  const clock = { ...createManualClock() };
  const due: number[] = [];
  const manager = bench.createManager({
    clock: {
      ...clock,
      nextTurn(callback) {
        const immediate = setImmediate(callback);
        return () => clearImmediate(immediate);
      },
      schedule(callback, milliseconds) {
        due.push(milliseconds);
        return clock.schedule(callback, milliseconds);
      },
    },
    uncachedPending: "defer",
  });
  const connecting = manager.connectServers(configs);
  await bench.waitForMethod("s", "tools/list", 2);
  await clock.advance(250);
  await connecting;
  expect(due).toContain(250);
});

test(
  verifies("L33", "a late failure is logged after the startup has returned, and its deferred tools give the reason"),
  async () => {
    await using bench = await createWorkbench();
    const gate = bench.gate("go");
    bench.open(gate);
    const options = { waitForFile: { initialize: gate } };
    await bench.fillCache({ s: bench.server("s", options) });
    const { rm } = await import("node:fs/promises");
    await rm(gate);

    const warnings: string[] = [];
    const logger: Logger = { ...silentLogger, warn: (message) => warnings.push(message) };
    const manager = bench.createManager({ startupTimeoutMs: 0, logger });
    const { tools, errors } = await manager.connectServers({ s: bench.server("s", options) });
    expect(errors.size).toBe(0);
    expect(warnings).toEqual([]);
    const late = nextEvent(manager, "late-error");
    const calling = tools.find((tool) => tool.name === "mcp_s_echo")?.execute({ text: "x" });
    await bench.waitForMethod("s", "initialize", 2);
    process.kill(bench.pidOf("s"), "SIGKILL");
    expect((await late).error).toMatchObject({ code: "SERVER_EXITED" });
    expect(warnings.some((message) => message.includes("s failed after the startup"))).toBe(true);
    const result = await calling;
    expect(result).toMatchObject({ isError: true, details: { errorCode: "SERVER_EXITED" } });
    expect(textOf(result ?? { content: [] })).toContain("/mcp reconnect s");
    expect(manager.getTools()).toHaveLength(tools.length);
  },
);

test(verifies("L33", "the cache is replaced by what a server lists now"), async () => {
  await using bench = await createWorkbench();
  const toolsFile = `${bench.directory}/tools.json`;
  const { writeFile } = await import("node:fs/promises");
  const tool = (name: string): object => ({ name, inputSchema: { type: "object" } });
  const configs = { s: bench.server("s", { toolsFile }) };
  await writeFile(toolsFile, JSON.stringify([tool("old")]));
  await bench.fillCache(configs);
  await writeFile(toolsFile, JSON.stringify([tool("new")]));
  const second = bench.createManager({ startupTimeoutMs: 0 });
  const changed = nextEvent(second, "tools-changed");
  expect((await second.connectServers(configs)).tools.map(({ name }) => name)).toEqual(["mcp_s_old"]);
  await changed;
  expect(second.getTools().map(({ name }) => name)).toEqual(["mcp_s_new"]);
  await second.disconnectAll();
  const third = bench.createManager({ startupTimeoutMs: 0 });
  expect((await third.connectServers(configs)).tools.map(({ name }) => name)).toEqual(["mcp_s_new"]);
});

test(verifies("L62", "a cache that fails is a warning and nothing more"), async () => {
  await using bench = await createWorkbench();
  const warnings: string[] = [];
  const logger: Logger = { ...silentLogger, warn: (message) => warnings.push(message) };
  const toolCache = {
    get: () => Promise.reject(new Error("disk on fire")),
    set: () => Promise.reject(new Error("disk on fire")),
  };
  const manager = bench.createManager({ toolCache, logger });
  const { tools, errors } = await manager.connectServers({ s: bench.server("s") });
  expect(tools.length).toBeGreaterThan(0);
  expect(errors.size).toBe(0);
  await waitFor(() => warnings.length === 2, "both warnings");
  expect(warnings.every((message) => message.includes("disk on fire"))).toBe(true);
});
