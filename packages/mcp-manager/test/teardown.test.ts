import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { silentLogger } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { processIsAlive, waitFor } from "../../../tooling/fixture-servers/index.mjs";
import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { systemClock } from "../src/clock.ts";
import { STARTUP_TIMEOUT_MS } from "../src/server-startup.ts";
import { createManualClock } from "./support/manual-clock.ts";
import { createWorkbench, nextEvent } from "./support/workbench.ts";

test(
  verifies("L63", "disconnectServer removes everything of a server, and a handshake in flight ends with its process"),
  async () => {
    await using bench = await createWorkbench();
    const gate = bench.gate("never");
    const manager = bench.createManager({ startupTimeoutMs: 0, uncachedPending: "defer" });
    const configs = { s: bench.server("s", { waitForFile: { initialize: gate }, ignoreEndOfInput: true }) };
    await manager.connectServers(configs, { s: { provider: "p", providerName: "P", path: "/f", level: "user" } });
    await bench.waitForMethod("s", "initialize");
    const waiting = expect(manager.waitForConnection("s")).rejects.toMatchObject({ code: "CLOSED" });
    await manager.disconnectServer("s");
    await waiting;
    expect(processIsAlive(bench.pidOf("s"))).toBe(false);
    expect(manager.describeServers()).toEqual([]);
    expect(manager.getSource("s")).toBeUndefined();
    expect(manager.getConnectionStatus("s")).toBe("disconnected");
  },
);

test(verifies("L63", "a late list cannot bring a removed server back"), async () => {
  await using bench = await createWorkbench();
  const gate = bench.gate("list");
  const manager = bench.createManager({ startupTimeoutMs: 0, uncachedPending: "defer" });
  await manager.connectServers({ s: bench.server("s", { waitForFile: { "tools/list": gate } }) });
  await bench.waitForMethod("s", "tools/list");
  const ending = manager.disconnectServer("s");
  bench.open(gate);
  await ending;
  expect(manager.getTools()).toEqual([]);
  expect(manager.describeServers()).toEqual([]);
});

test(verifies("L63", "a list that has arrived cannot bring a server back that is removed meanwhile"), async () => {
  await using bench = await createWorkbench();
  const toolsFile = `${bench.directory}/tools.json`;
  writeFileSync(toolsFile, JSON.stringify([{ name: "sound", inputSchema: { type: "object" } }, {}]));
  let ending: Promise<void> | undefined;
  // The warning about a tool comes between the list and its use.
  const warn = (): void => void (ending ??= manager.disconnectServer("s"));
  const manager = bench.createManager({ logger: { ...silentLogger, warn } });
  await manager.connectServers({ s: bench.server("s", { toolsFile }) });
  expect(ending).toBeInstanceOf(Promise);
  await ending;
  expect(manager.getTools()).toEqual([]);
  expect(manager.describeServers()).toEqual([]);
});

test(verifies("L63 L61", "disconnecting one server tells of the change and leaves the others alone"), async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager();
  await manager.connectServers({ a: bench.server("a"), b: bench.server("b") });
  const changed = nextEvent(manager, "tools-changed");
  await manager.disconnectServer("a");
  const { tools } = await changed;
  expect(tools.map((tool) => tool.name)).toContain("mcp_b_echo");
  expect(tools.every((tool) => tool.name.startsWith("mcp_b_"))).toBe(true);
  expect(processIsAlive(bench.pidOf("a"))).toBe(false);
  expect(processIsAlive(bench.pidOf("b"))).toBe(true);
  expect(manager.getConnectionStatus("b")).toBe("connected");
});

test(
  verifies("L64", "disconnectAll ends servers that ignore everything, and their grandchildren, in or out of the group"),
  async () => {
    await using bench = await createWorkbench();
    const inGroup = { pidFile: `${bench.directory}/in.pid` };
    const outOfGroup = { pidFile: `${bench.directory}/out.pid`, detached: true };
    const manager = bench.createManager();
    await manager.connectServers({
      polite: bench.server("polite"),
      stubborn: bench.server("stubborn", { ignoreEndOfInput: true, ignoreSigterm: true, grandchild: inGroup }),
      leaver: bench.server("leaver", { grandchild: outOfGroup }),
    });
    const pids = [
      ...["polite", "stubborn", "leaver"].map((name) => bench.pidOf(name)),
      ...[inGroup, outOfGroup].map(({ pidFile }) => Number(readFileSync(pidFile, "utf8"))),
    ];
    expect(pids.every(processIsAlive)).toBe(true);
    await manager.disconnectAll();
    expect(pids.filter(processIsAlive)).toEqual([]);
    expect(manager.getTools()).toEqual([]);
    expect(manager.describeServers()).toEqual([]);
  },
);

test(
  verifies("L64", "disconnectAll settles a start that is under way, and the manager can be used again"),
  async () => {
    await using bench = await createWorkbench();
    const manager = bench.createManager();
    const connecting = manager.connectServers({ s: bench.server("s", { neverAnswer: ["initialize"] }) });
    await bench.waitForMethod("s", "initialize");
    await manager.disconnectAll();
    expect((await connecting).errors.get("s")).toMatchObject({ code: "CLOSED" });
    await manager.disconnectAll();
    expect((await manager.connectServers({ s: bench.server("s") })).connectedServers).toEqual(["s"]);
  },
);

test(verifies("L64", "a start whose server is being disconnected when the gate falls still says so"), async () => {
  await using bench = await createWorkbench();
  const clock = createManualClock();
  const manager = bench.createManager({ clock: { ...clock, nextTurn: (callback) => systemClock.nextTurn(callback) } });
  const stubborn = bench.server("s", { neverAnswer: ["initialize"], ignoreEndOfInput: true });
  const connecting = manager.connectServers({ s: stubborn });
  await bench.waitForMethod("s", "initialize");
  const ending = manager.disconnectAll();
  await clock.advance(STARTUP_TIMEOUT_MS);
  expect((await connecting).errors.get("s")).toMatchObject({ code: "CLOSED" });
  await ending;
});

test(verifies("L65", "await using ends a manager's servers"), async () => {
  await using bench = await createWorkbench();
  {
    await using manager = bench.createManager();
    await manager.connectServers({ s: bench.server("s") });
    expect(processIsAlive(bench.pidOf("s"))).toBe(true);
  }
  expect(processIsAlive(bench.pidOf("s"))).toBe(false);
});

test(verifies("L66", "the library adds no signal handler unless it is told to, and takes it away again"), async () => {
  await using bench = await createWorkbench();
  const count = (): number =>
    ["SIGINT", "SIGTERM", "SIGHUP"].reduce((sum, name) => sum + process.listenerCount(name), 0);
  const before = count();
  const plain = bench.createManager();
  await plain.connectServers({ s: bench.server("s") });
  expect(count()).toBe(before);
  const handling = bench.createManager({ handleSignals: true });
  await handling.connectServers({ s: bench.server("t") });
  expect(count()).toBe(before + 3);
  await handling.disconnectAll();
  expect(count()).toBe(before);
});

test.each(["SIGTERM", "SIGKILL", "exit", "crash"] as const)(
  verifies("L66", "a host that ends by %s takes its servers with it"),
  async (how) => {
    await using bench = await createWorkbench();
    const configs = { s: bench.server("s", { ignoreEndOfInput: true, ignoreSigterm: true }) };
    const script = fileURLToPath(new URL("support/host.mjs", import.meta.url));
    const host = spawn(process.execPath, [script, JSON.stringify(configs), how], {
      cwd: bench.directory,
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((resolve, reject) => {
      host.stdout.once("data", resolve);
      host.once("exit", () => reject(new Error("the host ended before its servers were ready")));
    });
    const pid = bench.pidOf("s");
    if (how.startsWith("SIG")) {
      // One that ends by itself may have ended by now.
      expect(processIsAlive(pid)).toBe(true);
      host.kill(how as NodeJS.Signals);
    }
    await waitFor(() => host.exitCode !== null || host.signalCode !== null, "the host's end");
    await waitFor(() => !processIsAlive(pid), "the server's end");
  },
);
