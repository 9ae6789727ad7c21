import { writeFileSync } from "node:fs";

import { createToolCache } from "@toolgate/tool-cache";
import { expect, test } from "vitest";

import { waitFor } from "../../../tooling/fixture-servers/index.mjs";
import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { systemClock } from "../src/clock.ts";
import type { MCPManagerEvent } from "../src/manager-events.ts";
import type { MCPManager } from "../src/manager.ts";
import type { ManualClock } from "./support/manual-clock.ts";
import { createManualClock } from "./support/manual-clock.ts";
import type { Workbench } from "./support/workbench.ts";
import { createWorkbench, nextEvent } from "./support/workbench.ts";

const CHANGED = "notifications/tools/list_changed";

test(
  verifies("X02", "a change of a server's tools is listed, told of once, and replaces what the cache has"),
  async () => {
    await using bench = await createWorkbench();
    const { manager, configs, writeTools } = await startWithTools(bench, ["one", "two"]);
    const events = changesOf(manager);
    writeTools(["two", "three"]);
    const changed = nextEvent(manager, "tools-changed");
    await notify(manager, "s", CHANGED);
    expect((await changed).tools.map(({ name }) => name)).toEqual(["mcp_s_three", "mcp_s_two"]);
    expect(manager.getTools().map(({ name }) => name)).toEqual(["mcp_s_three", "mcp_s_two"]);
    await manager.disconnectAll();
    expect(events.map(({ tools }) => tools.length)).toEqual([2, 0]);
    const cache = createToolCache({ directory: `${bench.directory}/cache` });
    const entry = await cache.get("s", configs["s"] ?? { command: "" }, { clientCapabilities: {} });
    expect(entry?.tools.map(({ name }) => name)).toEqual(["two", "three"]);
  },
);

test(verifies("X02", "200 notifications give at most three lists"), async () => {
  await using bench = await createWorkbench();
  const clock = createClock();
  const manager = bench.createManager({ clock });
  await manager.connectServers({ s: bench.server("s", { notifyListChanged: 200 }) });
  await notify(manager, "s", CHANGED, 200);
  await clock.advance(60_000);
  await settleLists(manager, "s");
  await clock.advance(60_000);
  await settleLists(manager, "s");
  expect(listsOf(bench, "s")).toBeLessThanOrEqual(3);
  expect(listsOf(bench, "s")).toBeGreaterThan(1);
});

test(verifies("X02", "a server that says at every list that it changed is listed ever more rarely"), async () => {
  await using bench = await createWorkbench();
  const clock = createClock();
  const manager = bench.createManager({ clock });
  const events = changesOf(manager);
  await manager.connectServers({ s: bench.server("s", { notifyOnList: true }) });
  await bench.waitForMethod("s", "tools/list", 2);
  await settleLists(manager, "s");
  // The pauses are 1, 2, 4 and 8 seconds.
  for (const [index, pause] of [1000, 2000, 4000, 8000].entries()) {
    await clock.advance(pause - 1);
    await settleLists(manager, "s");
    expect(listsOf(bench, "s")).toBe(index + 2);
    await clock.advance(1);
    await bench.waitForMethod("s", "tools/list", index + 3);
    await settleLists(manager, "s");
  }
  expect(events).toEqual([]);
});

test(verifies("X02", "a list that says nothing new keeps every tool object, whatever its order"), async () => {
  await using bench = await createWorkbench();
  const { manager, writeTools } = await startWithTools(bench, ["one", "two"]);
  const events = changesOf(manager);
  const before = manager.getTools();
  writeTools(["two", "one"]);
  await notify(manager, "s", CHANGED);
  await bench.waitForMethod("s", "tools/list", 2);
  await settleLists(manager, "s");
  const after = manager.getTools();
  expect(after.every((tool, index) => tool === before[index])).toBe(true);
  expect(events).toEqual([]);
});

test(
  verifies("X02", "a server that becomes ready late gives one event, and its tools stay as they were known"),
  async () => {
    await using bench = await createWorkbench();
    const gate = bench.gate("late");
    const configs = { a: bench.server("a"), late: bench.server("late", { waitForFile: { "tools/list": gate } }) };
    bench.open(gate);
    await bench.fillCache(configs);
    const { rmSync } = await import("node:fs");
    rmSync(gate);
    const manager = bench.createManager({ startupTimeoutMs: 0 });
    const events = changesOf(manager);
    const { tools } = await manager.connectServers(configs);
    const known = JSON.stringify(tools);
    await waitFor(() => events.some(({ server }) => server === "a"), "the tools of a");
    const late = nextEvent(manager, "tools-changed");
    bench.open(gate);
    expect(await late).toMatchObject({ server: "late" });
    await manager.waitForConnection("late");
    await settleLists(manager, "late");
    expect(events.filter(({ server }) => server === "late")).toHaveLength(1);
    expect(JSON.stringify(manager.getTools())).toBe(known);
  },
);

test(verifies("X02", "the merged list is the same text after a server was started again"), async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager();
  await manager.connectServers({ a: bench.server("a"), b: bench.server("b") });
  const before = JSON.stringify(manager.getTools());
  await manager.reconnectServer("a");
  expect(JSON.stringify(manager.getTools())).toBe(before);
});

test(verifies("X02", "a change of what the filters leave out is no event, and is cached"), async () => {
  await using bench = await createWorkbench();
  const { manager, configs, writeTools } = await startWithTools(bench, ["one", "secret"], { excludeTools: ["s*"] });
  const events = changesOf(manager);
  const before = manager.getTools();
  writeTools(["one", "s2"]);
  await notify(manager, "s", CHANGED);
  await bench.waitForMethod("s", "tools/list", 2);
  await settleLists(manager, "s");
  expect(events).toEqual([]);
  expect(manager.getTools()[0]).toBe(before[0]);
  await manager.disconnectAll();
  const cache = createToolCache({ directory: `${bench.directory}/cache` });
  const entry = await cache.get("s", configs["s"] ?? { command: "" }, { clientCapabilities: {} });
  expect(entry?.tools.map(({ name }) => name)).toEqual(["one", "s2"]);
});

test(verifies("X02", "a list that fails leaves the tools as they are, and the next change is listed"), async () => {
  await using bench = await createWorkbench();
  const warnings: string[] = [];
  const clock = createClock();
  const { manager, writeTools } = await startWithTools(
    bench,
    ["one"],
    {},
    {
      clock,
      logger: { debug() {}, info() {}, error() {}, warn: (message) => void warnings.push(message) },
    },
  );
  writeTools("no list");
  await notify(manager, "s", CHANGED);
  await waitFor(() => warnings.length > 0, "the warning");
  expect(warnings[0]).toContain("s: following a change of its tools failed");
  expect(manager.getTools().map(({ name }) => name)).toEqual(["mcp_s_one"]);
  writeTools(["one", "two"]);
  const changed = nextEvent(manager, "tools-changed");
  await clock.advance(1000);
  await notify(manager, "s", CHANGED);
  expect((await changed).tools.map(({ name }) => name)).toEqual(["mcp_s_one", "mcp_s_two"]);
});

test(verifies("X02", "changed resources and prompts are events, told of at most once per second"), async () => {
  await using bench = await createWorkbench();
  const clock = createClock();
  const manager = bench.createManager({ clock });
  const told: string[] = [];
  manager.subscribe(({ type }) => void (/^(resources|prompts)-changed$/.test(type) && told.push(type)));
  await manager.connectServers({ s: bench.server("s", { resources: [], prompts: [] }) });
  await notify(manager, "s", "notifications/resources/list_changed", 100);
  await notify(manager, "s", "notifications/prompts/list_changed", 1);
  expect(told).toEqual(["resources-changed", "prompts-changed"]);
  await clock.advance(1000);
  expect(told).toEqual(["resources-changed", "prompts-changed", "resources-changed"]);
  await clock.advance(100_000);
  expect(told).toHaveLength(3);
  expect(bench.received("s")).not.toContain("resources/list");
});

async function startWithTools(
  bench: Workbench,
  names: readonly string[],
  config: { excludeTools?: string[] } = {},
  options: Parameters<Workbench["createManager"]>[0] = {},
): Promise<{
  manager: MCPManager;
  configs: Record<string, Parameters<MCPManager["connectServers"]>[0][string]>;
  writeTools: (tools: unknown) => void;
}> {
  const toolsFile = `${bench.directory}/tools.json`;
  const writeTools = (tools: unknown): void => {
    const listed = Array.isArray(tools)
      ? tools.map((name: unknown) => ({ name, inputSchema: { type: "object" } }))
      : tools;
    writeFileSync(toolsFile, JSON.stringify(listed));
  };
  writeTools(names);
  const configs = { s: { ...bench.server("s", { toolsFile }), ...config } };
  const manager = bench.createManager(options);
  await manager.connectServers(configs);
  return { manager, configs, writeTools };
}

function changesOf(manager: MCPManager): Extract<MCPManagerEvent, { type: "tools-changed" }>[] {
  const events: Extract<MCPManagerEvent, { type: "tools-changed" }>[] = [];
  manager.subscribe((event) => void (event.type === "tools-changed" && events.push(event)));
  return events;
}

/** Has a server send notifications; they have arrived when this resolves. */
async function notify(manager: MCPManager, server: string, method: string, times = 1): Promise<void> {
  await manager.getConnection(server)?.request("fixture/notify", { method, times });
}

/** Resolves when a list that was under way has been answered: a server answers in order. */
async function settleLists(manager: MCPManager, server: string): Promise<void> {
  await manager.getConnection(server)?.request("ping");
  await new Promise((resolve) => setImmediate(resolve));
}

function listsOf(bench: Workbench, server: string): number {
  return bench.received(server).filter((method) => method === "tools/list").length;
}

/** Timers by hand; turns of the event loop as they come. */
function createClock(): ManualClock {
  return { ...createManualClock(), nextTurn: (callback) => systemClock.nextTurn(callback) };
}
