import { subscribe, unsubscribe } from "node:diagnostics_channel";

import type { MCPServerConfig, SourceMeta } from "@toolgate/contracts";
import { expect, onTestFinished, test } from "vitest";

import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { CALL_CHANNEL, SERVER_CHANNEL } from "../src/diagnostics.ts";
import type { MCPManagerEvent, ServerStepEvent } from "../src/manager-events.ts";
import type { MCPManager } from "../src/manager.ts";
import { createWorkbench, textOf } from "./support/workbench.ts";

const SECRET = "s3cret-value-4711";

type StepEvent = Extract<MCPManagerEvent, { type: "server-step" }>;

function recordSteps(manager: MCPManager): StepEvent[] {
  const steps: StepEvent[] = [];
  manager.subscribe((event) => {
    if (event.type === "server-step") steps.push(event);
  });
  return steps;
}

function nextStep(manager: MCPManager, step: ServerStepEvent["step"]): Promise<StepEvent> {
  return new Promise((resolve) => {
    const stop = manager.subscribe((event) => {
      if (event.type !== "server-step" || event.step !== step) return;
      stop();
      resolve(event);
    });
  });
}

/** What is published on a channel until the test is over. */
function listenTo(name: string): unknown[] {
  const messages: unknown[] = [];
  const onMessage = (message: unknown): void => void messages.push(message);
  subscribe(name, onMessage);
  onTestFinished(() => void unsubscribe(name, onMessage));
  return messages;
}

test(verifies("X08", "the steps of a start are told in order, with times that only go forward"), async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager({ startupTimeoutMs: Number.POSITIVE_INFINITY });
  const events: MCPManagerEvent[] = [];
  manager.subscribe((event) => events.push(event));
  await manager.connectServers({ s: bench.server("s", { toolCount: 3 }) });
  const steps = events.filter((event) => event.type === "server-step");
  expect(steps.map(({ step }) => step)).toEqual(["queued", "spawned", "initialized", "listed", "ready"]);
  expect(steps.every(({ server, transport }) => server === "s" && transport === "stdio")).toBe(true);
  expect(steps.at(-1)).toMatchObject({ tools: 3 });
  for (const { durationMs } of steps.slice(1)) expect(durationMs).toBeGreaterThanOrEqual(0);
  const times = events.map(({ at }) => at);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times[0]).toBeGreaterThanOrEqual(0);
  expect(events.every(({ time }) => time > 1_700_000_000_000)).toBe(true);
});

test(verifies("X08", "a start that fails ends with the step failed and its error"), async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager({ startupTimeoutMs: Number.POSITIVE_INFINITY });
  const steps = recordSteps(manager);
  await manager.connectServers({ s: bench.server("s", { exitAt: "initialize", exitCode: 3 }) });
  expect(steps.map(({ step }) => step)).toEqual(["queued", "spawned", "failed"]);
  expect(steps.at(-1)?.error).toMatchObject({ code: "SERVER_EXITED", server: "s" });
});

test(
  verifies("X08", "a server that goes by itself has dropped, one that is ended is closed when its process is gone"),
  async () => {
    await using bench = await createWorkbench();
    const manager = bench.createManager({ startupTimeoutMs: Number.POSITIVE_INFINITY });
    const { tools } = await manager.connectServers({ a: bench.server("a"), b: bench.server("b") });
    const dropped = nextStep(manager, "dropped");
    await tools.find(({ name }) => name === "mcp_a_crash")?.execute({});
    expect(await dropped).toMatchObject({ server: "a", error: { code: "NOT_CONNECTED" } });
    expect(manager.describeServers()[0]).toMatchObject({
      status: "disconnected",
      reason: expect.stringContaining("a "),
    });

    const steps = recordSteps(manager);
    await manager.disconnectServer("b");
    expect(steps.map(({ server, step }) => [server, step])).toEqual([["b", "closed"]]);
  },
);

test(
  verifies("X08", "a description says how long each step took, and can be written as JSON without a secret"),
  async () => {
    await using bench = await createWorkbench();
    const manager = bench.createManager({ startupTimeoutMs: Number.POSITIVE_INFINITY });
    const withSecret = (entry: MCPServerConfig) => ({ ...entry, env: { API_TOKEN: SECRET } });
    const instructions = "Ask me first.";
    const source: SourceMeta = { provider: "native", providerName: "Toolgate", path: "/p/mcp.json", level: "user" };
    await manager.connectServers(
      {
        bad: withSecret(bench.server("bad", { exitAt: "start", stderr: `no luck with ${SECRET}\n` })),
        good: withSecret(bench.server("good", { instructions, stderr: `token ${SECRET}\n` })),
      },
      { good: source },
    );
    const text = JSON.stringify(manager.describeServers());
    expect(text).not.toContain(SECRET);
    const [bad, good] = JSON.parse(text) as Record<string, unknown>[];
    expect(bad).toMatchObject({
      name: "bad",
      status: "failed",
      error: { code: "SERVER_EXITED", message: expect.stringContaining("bad"), server: "bad" },
      reason: expect.stringContaining("no luck with ***"),
      durations: { queue: expect.any(Number), spawn: expect.any(Number) },
    });
    expect(bad?.["durations"]).not.toHaveProperty("list");
    expect(good).toMatchObject({
      status: "connected",
      transport: "stdio",
      source,
      era: "legacy",
      protocolVersion: expect.any(String),
      pid: expect.any(Number),
      instructionsLength: instructions.length,
      stderr: "token ***\n",
    });
    const { timeline, durations: goodDurations } = good as Record<"timeline" | "durations", Record<string, number>>;
    const times = ["startedAt", "spawnedAt", "initializedAt", "listedAt", "endedAt"].map(
      (step) => timeline[step] ?? -1,
    );
    expect([0, ...times]).toEqual([0, ...times].toSorted((a, b) => a - b));
    const [started = 0, , initialized = 0, listed = 0] = times;
    const { spawn = -1, initialize = -1, ...others } = goodDurations;
    expect(others).toEqual({ queue: started, list: listed - initialized });
    // As the connection has measured them, without what the host did in between.
    expect(spawn).toBeGreaterThanOrEqual(0);
    expect(initialize).toBeGreaterThan(0);
  },
);

test("a server whose tools stand in from the cache says since when and how old they are", async () => {
  await using bench = await createWorkbench();
  const gate = bench.gate("go");
  const configs = { s: bench.server("s", { waitForFile: { "tools/list": gate } }) };
  bench.open(gate);
  await bench.fillCache(configs);
  const { rm } = await import("node:fs/promises");
  await rm(gate);
  const manager = bench.createManager({ startupTimeoutMs: 0 });
  await manager.connectServers(configs);
  expect(manager.describeServers()).toMatchObject([
    { cached: true, cachedAgeMs: expect.any(Number), timeline: { cachedToolsAt: expect.any(Number) } },
  ]);
  expect(manager.describeStartup()).toMatchObject({ gateMs: 0, pending: ["s"], servers: ["s"] });
  const ready = nextStep(manager, "ready");
  bench.open(gate);
  await ready;
  const [live] = manager.describeServers();
  expect(live).not.toHaveProperty("cachedAgeMs");
  expect(live?.timeline).toHaveProperty("cachedToolsAt");
});

test("the startup that is described is the one with all servers, whatever was restarted since", async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager();
  expect(manager.describeStartup()).toBeUndefined();
  const configs = { a: bench.server("a"), b: bench.server("b") };
  await manager.connectServers(configs, {}, { startupTimeoutMs: 60_000 });
  const startup = manager.describeStartup();
  expect(startup).toMatchObject({ gateMs: 60_000, elapsedMs: expect.any(Number), pending: [], servers: ["a", "b"] });
  await manager.reconnectServer("a");
  expect(manager.describeStartup()).toEqual(startup);
});

test(
  verifies("X08", "steps and calls are published for whoever listens, without arguments, content and secrets"),
  async () => {
    await using bench = await createWorkbench();
    const steps = listenTo(SERVER_CHANNEL);
    const calls = listenTo(CALL_CHANNEL);
    const manager = bench.createManager({ startupTimeoutMs: Number.POSITIVE_INFINITY });
    const entry = { ...bench.server("s"), env: { API_TOKEN: SECRET } };
    const { tools } = await manager.connectServers({ s: entry });
    const toolOf = (name: string) => tools.find((tool) => tool.name === `mcp_s_${name}`);
    expect(textOf((await toolOf("echo")?.execute({ text: SECRET })) ?? { content: [] })).toBe(SECRET);
    await toolOf("crash")?.execute({ note: SECRET });
    await manager.disconnectAll();

    const names = (steps as { step: string }[]).map(({ step }) => step);
    expect(names.slice(0, 5)).toEqual(["queued", "spawned", "initialized", "listed", "ready"]);
    expect(names.at(-1)).toBe("closed");
    expect(calls).toMatchObject([
      { phase: "start", server: "s", tool: "echo" },
      { phase: "end", server: "s", tool: "echo", isError: false, durationMs: expect.any(Number) },
      { phase: "start", tool: "crash" },
      { phase: "end", tool: "crash", isError: true, errorCode: "SERVER_EXITED" },
    ]);
    const [start, end] = calls as { call: string }[];
    expect(start?.call).toBe(end?.call);
    expect(JSON.stringify([steps, calls])).not.toContain(SECRET);
  },
);

test("a call that is given up is published as one", async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager({ startupTimeoutMs: Number.POSITIVE_INFINITY });
  const { tools } = await manager.connectServers({ s: bench.server("s") });
  const calls = listenTo(CALL_CHANNEL);
  const controller = new AbortController();
  const hanging = tools.find(({ name }) => name === "mcp_s_hang")?.execute({}, { signal: controller.signal });
  await bench.waitForMethod("s", "tools/call");
  controller.abort();
  await expect(hanging).rejects.toMatchObject({ name: "AbortError" });
  expect(calls).toMatchObject([{ phase: "start" }, { phase: "abort", durationMs: expect.any(Number) }]);
});
