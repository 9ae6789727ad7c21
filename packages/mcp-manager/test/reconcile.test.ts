import { silentLogger } from "@toolgate/contracts";
import type { MCPServerConfig } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { processIsAlive } from "../../../tooling/fixture-servers/index.mjs";
import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { createWorkbench, nextEvent } from "./support/workbench.ts";

test("a reconciliation adds, removes and restarts, and keeps the rest with its process and its calls", async () => {
  await using bench = await createWorkbench();
  const gate = bench.gate("answer");
  const manager = bench.createManager({ startupTimeoutMs: Number.POSITIVE_INFINITY });
  const kept = bench.server("kept", { waitForFile: { "tools/call": gate } });
  const changed = bench.server("changed");
  await manager.connectServers({ kept, changed, gone: bench.server("gone") });
  const before = { kept: bench.pidOf("kept"), changed: bench.pidOf("changed"), gone: bench.pidOf("gone") };
  const call = manager
    .getTools()
    .find((tool) => tool.name === "mcp_kept_add")
    ?.execute({ a: 1, b: 2 });
  await bench.waitForMethod("kept", "tools/call");

  const wanted = {
    kept: reverseKeys(kept),
    changed: { ...changed, timeout: 20_000 },
    fresh: bench.server("fresh"),
  };
  const result = await manager.reconcile(wanted, {}, { startupTimeoutMs: Number.POSITIVE_INFINITY });
  expect(result).toMatchObject({ added: ["fresh"], removed: ["gone"], restarted: ["changed"], kept: ["kept"] });
  expect(result.errors.size).toBe(0);
  expect(result.connectedServers).toEqual(["changed", "fresh", "kept"]);
  expect(bench.pidOf("kept")).toBe(before.kept);
  expect(bench.pidOf("changed")).not.toBe(before.changed);
  expect([before.changed, before.gone].filter(processIsAlive)).toEqual([]);
  const names = result.tools.map((tool) => tool.name);
  expect(names.some((name) => name.startsWith("mcp_gone_"))).toBe(false);
  expect(names).toContain("mcp_fresh_echo");

  bench.open(gate);
  expect(await call).toMatchObject({ isError: false });
});

test("a tool of a restarted server that is called meanwhile waits for the restart", async () => {
  await using bench = await createWorkbench();
  const gate = bench.gate("start");
  const manager = bench.createManager();
  await manager.connectServers({ s: bench.server("s") });
  const changed = nextEvent(manager, "tools-changed");
  const reconciling = manager.reconcile({ s: bench.server("s", { waitForFile: { initialize: gate } }) });
  const { tools } = await changed;
  const call = tools.find((tool) => tool.name === "mcp_s_add")?.execute({ a: 1, b: 2 });
  await bench.waitForMethod("s", "initialize", 2);
  bench.open(gate);
  expect(await call).toMatchObject({ isError: false, content: [{ text: "3" }] });
  expect((await reconciling).restarted).toEqual(["s"]);
});

test("an invalid new config changes nothing for its server and is reported", async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager();
  await manager.connectServers({ s: bench.server("s") });
  const pid = bench.pidOf("s");
  const result = await manager.reconcile({ s: { command: "" }, t: { type: "http", url: "" } });
  expect(result).toMatchObject({ added: ["t"], removed: [], restarted: [], kept: ["s"] });
  expect([...result.errors].map(([name, error]) => [name, error.code])).toEqual([
    ["s", "CONFIG_INVALID"],
    ["t", "CONFIG_INVALID"],
  ]);
  expect(manager.getConnection("s")?.pid).toBe(pid);
  expect(manager.describeServers().find(({ name }) => name === "t")).toMatchObject({ status: "failed" });
});

test("another project directory is a change; another file that says the same is none", async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager();
  const config = bench.server("s");
  const sourceIn = (path: string) => ({ s: { provider: "p", providerName: "P", path, level: "user" as const } });
  await manager.connectServers({ s: config }, sourceIn("/one"));
  expect((await manager.reconcile({ s: config }, sourceIn("/two"))).kept).toEqual(["s"]);
  expect(manager.getSource("s")?.path).toBe("/two");
  const entries = { s: { projectDirectory: bench.directory } };
  expect((await manager.reconcile({ s: config }, {}, { entries })).restarted).toEqual(["s"]);
  expect(manager.getSource("s")).toBeUndefined();
});

test("a server that had failed or dropped is started again although its config is the same", async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager({ startupTimeoutMs: Number.POSITIVE_INFINITY });
  const dropped = bench.server("dropped");
  const failed = bench.server("failed", { exitAt: "start" });
  await manager.connectServers({ dropped, failed });
  const connection = manager.getConnection("dropped");
  process.kill(bench.pidOf("dropped"), "SIGKILL");
  await connection?.closed;
  const { restarted, errors, connectedServers } = await manager.reconcile({ dropped, failed });
  expect(restarted).toEqual(["dropped", "failed"]);
  expect([...errors.keys()]).toEqual(["failed"]);
  expect(connectedServers).toEqual(["dropped"]);
});

test("a server that is removed while it starts does not come back, and its first caller hears of it", async () => {
  await using bench = await createWorkbench();
  const gate = bench.gate("late");
  const manager = bench.createManager();
  const slow = bench.server("slow", { waitForFile: { "tools/list": gate } });
  const connecting = manager.connectServers({ slow });
  await bench.waitForMethod("slow", "tools/list");
  const reconciling = manager.reconcile({});
  bench.open(gate);
  expect((await reconciling).removed).toEqual(["slow"]);
  expect((await connecting).errors.get("slow")).toMatchObject({ code: "CLOSED" });
  expect(manager.describeServers()).toEqual([]);
  expect(manager.getTools()).toEqual([]);
  expect(processIsAlive(bench.pidOf("slow"))).toBe(false);
});

test("of two reconciliations at once the later one wins", async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager({ startupTimeoutMs: Number.POSITIVE_INFINITY });
  const [first, second] = await Promise.all([
    manager.reconcile({ a: bench.server("a"), b: bench.server("b") }),
    manager.reconcile({ b: bench.server("b"), c: bench.server("c") }),
  ]);
  expect(first.added).toEqual(["a", "b"]);
  expect(first.errors.get("a")).toMatchObject({ code: "CLOSED" });
  expect(second).toMatchObject({ added: ["c"], removed: ["a"], kept: ["b"] });
  expect(manager.describeServers().map(({ name, status }) => [name, status])).toEqual([
    ["b", "connected"],
    ["c", "connected"],
  ]);
});

test(verifies("L63", "what was disconnected while the configuration was read is not started by it"), async () => {
  await using bench = await createWorkbench();
  let answer = (): void => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const source = { provider: "held", providerName: "Held", path: "<held>", level: "user" as const };
  const config: MCPServerConfig = bench.server("s");
  const provider = {
    id: "held",
    displayName: "Held",
    priority: 1,
    load: async () => {
      await asked;
      return { items: [{ name: "s", config, definition: config, _source: source }], warnings: [] };
    },
  };
  const manager = bench.createManager({ providers: [provider], logger: silentLogger });
  const connecting = manager.discoverAndConnect();
  const reconciling = manager.discoverAndReconcile();
  await manager.disconnectAll();
  answer();
  expect((await connecting).errors.get("s")).toMatchObject({ code: "CLOSED" });
  expect((await reconciling).errors.get("s")).toMatchObject({ code: "CLOSED" });
  expect(bench.received("s")).toEqual([]);
  expect((await manager.discoverAndReconcile()).added).toEqual(["s"]);
});

test("callers that reconnect a server at once share one start", async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager();
  await manager.connectServers({ s: bench.server("s") });
  const results = await Promise.all([manager.reconnectServer("s"), manager.reconnectServer("s")]);
  expect(results.map(({ connectedServers }) => connectedServers)).toEqual([["s"], ["s"]]);
  expect(bench.received("s").filter((method) => method === "initialize")).toHaveLength(2);
});

function reverseKeys(config: MCPServerConfig): MCPServerConfig {
  return Object.fromEntries(Object.entries(config).toReversed()) as unknown as MCPServerConfig;
}
