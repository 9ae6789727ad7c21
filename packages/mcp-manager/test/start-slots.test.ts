import { setImmediate as aTurn } from "node:timers/promises";

import type { ToolCache } from "@toolgate/contracts";
import { silentLogger } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { systemClock } from "../src/clock.ts";
import { resolveServerConfig } from "../src/resolve-config.ts";
import { MAX_BOOT_MS, StartQueue } from "../src/start-queue.ts";
import { createManualClock } from "./support/manual-clock.ts";
import { createWorkbench } from "./support/workbench.ts";

test("a server that hangs gives its place to the next one", async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager({ maxConcurrentStarts: 1, uncachedPending: "defer" });
  const hanging = bench.server("hanging", { neverAnswer: ["initialize"] });
  void manager.connectServers({ hanging, next: bench.server("next") });
  await bench.waitForMethod("next", "tools/list");
  expect(manager.getConnectionStatus("hanging")).toBe("connecting");
});

test("a server that keeps its processor busy for ever gives its place to the next one after a bounded time", async () => {
  await using bench = await createWorkbench();
  const clock = createManualClock();
  const manager = bench.createManager({
    maxConcurrentStarts: 1,
    clock: { ...clock, nextTurn: (callback) => systemClock.nextTurn(callback) },
  });
  const busy = { command: process.execPath, args: ["-e", "for (;;) {}"] };
  const spawned = new Promise<void>((resolve) => {
    manager.subscribe((event) => {
      if (event.type === "server-status" && event.server === "busy" && event.phase === "initializing") resolve();
    });
  });
  const connecting = manager.connectServers({ busy, next: bench.server("next") });
  await spawned;
  expect(manager.describeServers().map(({ name, phase }) => [name, phase])).toEqual([
    ["busy", "initializing"],
    ["next", "queued"],
  ]);
  await clock.advance(MAX_BOOT_MS);
  await bench.waitForMethod("next", "tools/list");
  await manager.disconnectServer("busy");
  expect((await connecting).connectedServers).toEqual(["next"]);
});

test("of servers whose tools are cached the quickest is started first, and one that is waited for before them", async () => {
  await using bench = await createWorkbench();
  const configs = { slow: bench.server("slow"), quick: bench.server("quick") };
  const initialize = new Map([
    ["slow", 900],
    ["quick", 90],
  ]);
  const toolCache: ToolCache = {
    get: async (server) => {
      const remembered = initialize.get(server);
      if (remembered === undefined) return null;
      return { tools: [], fetchedAt: 0, durations: { spawn: 1, initialize: remembered, list: 1 } };
    },
    set: async () => {},
  };
  const manager = bench.createManager({ maxConcurrentStarts: 1, startupTimeoutMs: 0, toolCache });
  const order: string[] = [];
  manager.subscribe((event) => {
    if (event.type === "server-status" && event.phase === "spawning") order.push(event.server);
  });
  await manager.connectServers({ ...configs, fresh: bench.server("fresh") });
  await Promise.all(["slow", "quick"].map((name) => manager.waitForConnection(name)));
  expect(order).toEqual(["fresh", "quick", "slow"]);
});

test("of many commands one is started per turn of the event loop", async () => {
  const clock = createManualClock();
  const resolving = resolveServerConfig(
    { command: "server", env: { A: "!echo a", B: "!echo b" } },
    {
      name: "s",
      source: undefined,
      cwd: process.cwd(),
      env: process.env,
      signal: new AbortController().signal,
      logger: silentLogger,
      authStorage: undefined,
      pace: new StartQueue(clock, Number.POSITIVE_INFINITY),
    },
  );
  let isResolved = false;
  void resolving.finally(() => (isResolved = true));
  await clock.runTurn();
  await aTurn();
  expect(isResolved).toBe(false);
  await clock.runTurn();
  expect(await resolving).toMatchObject({ env: { A: "a", B: "b" } });
});
