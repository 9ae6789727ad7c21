import { writeFileSync } from "node:fs";

import type { AgentTool, ToolResult } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { waitFor } from "../../../tooling/fixture-servers/index.mjs";
import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { systemClock } from "../src/clock.ts";
import type { MCPManagerOptions } from "../src/manager-options.ts";
import { MCPManager } from "../src/manager.ts";
import { createManualClock } from "./support/manual-clock.ts";
import type { ServerWorld } from "./support/server-world.ts";
import { createServerWorld } from "./support/server-world.ts";
import type { VirtualClock } from "./support/virtual-clock.ts";
import { createVirtualClock } from "./support/virtual-clock.ts";
import type { Workbench } from "./support/workbench.ts";
import { createWorkbench, textOf } from "./support/workbench.ts";

test(
  verifies("X01", "on-call: the next call after a kill starts the server again, and the tool list stays as it was"),
  async () => {
    await using bench = await createWorkbench();
    const manager = bench.createManager({ reconnect: "on-call" });
    await manager.connectServers({ a: bench.server("a"), b: bench.server("b") });
    const before = manager.getTools();
    const listed = JSON.stringify(before);
    await kill(bench, manager, "a");
    expect(describe(manager, "a")).toMatchObject({ status: "disconnected", reconnect: { state: "idle", attempts: 0 } });
    expect(describe(manager, "a")?.reconnect?.lastError).toMatchObject({ code: "NOT_CONNECTED" });

    // The tool that the model has in hand, not a new one; two calls share one start.
    const add = toolOf(before, "mcp_a_add");
    const results = await Promise.all([add.execute({ a: 1, b: 2 }), add.execute({ a: 3, b: 4 })]);
    expect(results.map(textOf)).toEqual(["3", "7"]);
    expect(results.map(({ details }) => details.replayed)).toEqual([undefined, undefined]);
    expect(bench.received("a").filter((method) => method === "initialize")).toHaveLength(2);
    expect(JSON.stringify(manager.getTools())).toBe(listed);
    expect(describe(manager, "a")?.reconnect).toEqual({ state: "idle", attempts: 0 });
  },
);

test(verifies("X01", "on-call: a call that may have reached the server is not sent again"), async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager({ reconnect: "on-call" });
  await manager.connectServers({ s: bench.server("s") });
  const crash = toolOf(manager.getTools(), "mcp_s_crash");
  const result = await crash.execute({});
  expect(result).toMatchObject({ isError: true, details: { errorCode: "SERVER_EXITED" } });
  expect(result.details).not.toHaveProperty("replayed");
  expect(bench.received("s").filter((method) => method === "tools/call")).toHaveLength(1);
  expect(textOf(await toolOf(manager.getTools(), "mcp_s_add").execute({ a: 1, b: 1 }))).toBe("2");
});

test.each([{ readOnlyHint: true }, { idempotentHint: true }])(
  "on-call: a tool that says %o is called a second time, and the result says so",
  async (annotations) => {
    await using bench = await createWorkbench();
    const toolsFile = `${bench.directory}/tools.json`;
    writeFileSync(toolsFile, JSON.stringify([{ name: "crash", inputSchema: { type: "object" }, annotations }]));
    const manager = bench.createManager({ reconnect: "on-call" });
    await manager.connectServers({ s: bench.server("s", { toolsFile }) });
    const result = await toolOf(manager.getTools(), "mcp_s_crash").execute({});
    // It crashes every time, but a third time it is not called.
    expect(result).toMatchObject({ isError: true, details: { replayed: true, errorCode: "SERVER_EXITED" } });
    expect(bench.received("s").filter((method) => method === "tools/call")).toHaveLength(2);
  },
);

test.each([
  [{ readOnlyHint: true }, { replayed: true, calls: 2 }],
  // What was remembered says that it only reads; the server itself does not any more.
  [{}, { calls: 1 }],
])(
  "on-call: a remembered tool of which the server says %o is called %o",
  async (annotations, { calls, ...details }) => {
    await using bench = await createWorkbench();
    const toolsFile = `${bench.directory}/tools.json`;
    const list = (said: object): void =>
      writeFileSync(toolsFile, JSON.stringify([{ name: "crash", inputSchema: { type: "object" }, annotations: said }]));
    list({ readOnlyHint: true });
    const s = bench.server("s", { toolsFile });
    await bench.fillCache({ s });
    list(annotations);
    const manager = bench.createManager({ reconnect: "on-call", startupTimeoutMs: 0 });
    await manager.connectServers({ s });
    expect(describe(manager, "s")).toMatchObject({ cached: true });
    const result = await toolOf(manager.getTools(), "mcp_s_crash").execute({});
    expect(result).toMatchObject({ isError: true, details: { errorCode: "SERVER_EXITED", ...details } });
    expect(bench.received("s").filter((method) => method === "tools/call")).toHaveLength(calls);
  },
);

test("on-call: an abort ends the waiting and not the start", async () => {
  await using bench = await createWorkbench();
  const gate = bench.gate("start");
  bench.open(gate);
  const manager = bench.createManager({ reconnect: "on-call" });
  await manager.connectServers({ s: bench.server("s", { waitForFile: { initialize: gate } }) });
  const { rm } = await import("node:fs/promises");
  await rm(gate);
  await kill(bench, manager, "s");
  const controller = new AbortController();
  const call = toolOf(manager.getTools(), "mcp_s_echo").execute({ text: "x" }, { signal: controller.signal });
  await bench.waitForMethod("s", "initialize", 2);
  controller.abort();
  await expect(call).rejects.toMatchObject({ name: "AbortError" });
  bench.open(gate);
  await manager.waitForConnection("s");
});

test(
  verifies("X01", "background: a killed server comes back by itself after its back-off, with the config that it had"),
  async () => {
    await using bench = await createWorkbench();
    const clock = createManualClock();
    const manager = bench.createManager({
      reconnect: "background",
      clock: { ...clock, nextTurn: (callback) => systemClock.nextTurn(callback) },
      startupTimeoutMs: Number.POSITIVE_INFINITY,
    });
    await manager.connectServers({ s: bench.server("s") });
    await kill(bench, manager, "s");
    const due = clock.wallTime() + 500;
    expect(describe(manager, "s")?.reconnect).toMatchObject({ state: "waiting", attempts: 0, nextAttemptAt: due });
    await clock.advance(500);
    expect(describe(manager, "s")?.reconnect).toMatchObject({ state: "connecting", attempts: 1 });
    await waitFor(() => manager.getConnectionStatus("s") === "connected", "the return of s");
    expect(textOf(await toolOf(manager.getTools(), "mcp_s_add").execute({ a: 20, b: 22 }))).toBe("42");
  },
);

test.each(["manual", "on-call"] as const)("%s: nothing is started without being asked for", async (reconnect) => {
  const { manager, world, clock } = createScene({ reconnect });
  await connect(manager, world, clock);
  world.drop("s");
  await clock.advance(120_000);
  expect(world.started).toBe(1);
  expect(describe(manager, "s")?.reconnect?.state).toBe(reconnect === "manual" ? undefined : "idle");
});

test(
  verifies("X01", "background: a server that becomes ready and exits at once is left alone after five starts"),
  async () => {
    const { manager, world, clock } = createScene({ reconnect: "background" });
    await connect(manager, world, clock);
    for (let elapsed = 0; elapsed < 30_000; elapsed += 100) {
      world.drop("s");
      await answerAll(world, clock);
      await clock.advance(100);
    }
    expect(world.started).toBe(1 + 5);
    expect(describe(manager, "s")?.reconnect).toMatchObject({ state: "open-circuit", attempts: 5 });
    const result = await firstTool(manager).execute({});
    expect(textOf(result)).toMatch(/started too often .* \/mcp reconnect s/s);

    // Half open: one start, and a server that stays is a success.
    await clock.advance(30_000);
    await answerAll(world, clock);
    expect(world.started).toBe(1 + 6);
    await clock.advance(10_000);
    expect(describe(manager, "s")).toMatchObject({ status: "connected", reconnect: { state: "idle", attempts: 0 } });
  },
);

test(verifies("X01", "background: the pauses grow to 4 s and no further, and a success resets them"), async () => {
  const { manager, world, clock } = createScene({ reconnect: "background" });
  await connect(manager, world, clock);
  for (let round = 0; round < 2; round += 1) {
    world.drop("s");
    await clock.settle();
    for (const pause of [500, 1000, 2000, 4000]) {
      const { nextAttemptAt = 0 } = describe(manager, "s")?.reconnect ?? {};
      expect(nextAttemptAt - clock.wallTime()).toBe(pause);
      await clock.advance(pause);
      world.step(0, "badly");
      await clock.settle();
    }
    await clock.advance(4000);
    await answerAll(world, clock);
    expect(manager.getConnectionStatus("s")).toBe("connected");
    await clock.advance(10_000);
    expect(describe(manager, "s")?.reconnect).toEqual({ state: "idle", attempts: 0 });
  }
});

test(
  verifies("X01", "on-call: calls of a server that cannot be started again do not start it more often than five times"),
  async () => {
    const { manager, world, clock } = createScene({ reconnect: "on-call" });
    await connect(manager, world, clock);
    const tool = firstTool(manager);
    world.drop("s");
    const calls: Promise<ToolResult>[] = [];
    for (let second = 0; second < 25; second += 1) {
      calls.push(tool.execute({}));
      await clock.settle();
      world.step(0, "badly");
      await clock.advance(1000);
    }
    expect(world.started).toBe(1 + 5);
    expect(describe(manager, "s")?.reconnect).toMatchObject({ state: "open-circuit", attempts: 5 });
    const results = await Promise.all(calls);
    expect(results.every(({ isError }) => isError)).toBe(true);
  },
);

test(
  verifies("X01", "what is removed, or started by hand, while an attempt is planned does not come back by it"),
  async () => {
    const { manager, world, clock } = createScene({ reconnect: "background" });
    await connect(manager, world, clock);
    world.drop("s");
    await clock.settle();
    expect(describe(manager, "s")?.reconnect?.state).toBe("waiting");
    await manager.disconnectServer("s");
    expect(clock.timers).toBe(0);
    await clock.advance(60_000);
    expect(world.started).toBe(1);
    expect(manager.describeServers()).toEqual([]);
  },
);

test("a hundred drops and returns leave no timers behind", async () => {
  const { manager, world, clock } = createScene({ reconnect: "background" });
  await connect(manager, world, clock);
  for (let round = 0; round < 100; round += 1) {
    world.drop("s");
    await clock.settle();
    await clock.advance(500);
    await answerAll(world, clock);
    expect(manager.getConnectionStatus("s")).toBe("connected");
    await clock.advance(60_000);
  }
  expect(clock.timers).toBe(0);
});

interface Scene {
  manager: MCPManager;
  world: ServerWorld;
  clock: VirtualClock;
}

function createScene(options: MCPManagerOptions): Scene {
  const world = createServerWorld();
  const clock = createVirtualClock();
  return { manager: new MCPManager("/", { ...options, clock, connect: world.connect }), world, clock };
}

async function connect(manager: MCPManager, world: ServerWorld, clock: VirtualClock): Promise<void> {
  const connecting = manager.connectServers({ s: { command: "world", args: ["1"] } });
  await answerAll(world, clock);
  await connecting;
}

/** Lets the servers do all that they have to do, and do it well. */
async function answerAll(world: ServerWorld, clock: VirtualClock): Promise<void> {
  do await clock.settle();
  while (world.step(0, "well"));
}

async function kill(bench: Workbench, manager: MCPManager, name: string): Promise<void> {
  const connection = manager.getConnection(name);
  process.kill(bench.pidOf(name), "SIGKILL");
  await connection?.closed;
  // The manager hears of it in the same turn, after this.
  await new Promise((resolve) => setImmediate(resolve));
}

function describe(manager: MCPManager, name: string): ReturnType<MCPManager["describeServers"]>[number] | undefined {
  return manager.describeServers().find((server) => server.name === name);
}

function toolOf(tools: readonly AgentTool[], name: string): AgentTool {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return tool;
}

function firstTool(manager: MCPManager): AgentTool {
  const [tool] = manager.getTools();
  if (tool === undefined) throw new Error("There is no tool.");
  return tool;
}
