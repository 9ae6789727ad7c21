import type { SourceMeta } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { processIsAlive, waitFor } from "../../../tooling/fixture-servers/index.mjs";
import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { createWorkbench, textOf } from "./support/workbench.ts";

const SOURCE: SourceMeta = { provider: "cursor", providerName: "Cursor", path: "/u/.cursor/mcp.json", level: "user" };

test(verifies("L22", "servers start in parallel: each is spawned while the others still wait"), async () => {
  await using bench = await createWorkbench();
  const gate = bench.gate("go");
  const waitForFile = { initialize: gate };
  const manager = bench.createManager({ startupTimeoutMs: Number.POSITIVE_INFINITY });
  const names = ["a", "b", "c", "d"];
  const connecting = manager.connectServers(
    Object.fromEntries(names.map((name) => [name, bench.server(name, { waitForFile })])),
  );
  await Promise.all(names.map((name) => bench.waitForMethod(name, "initialize")));
  bench.open(gate);
  const { connectedServers, errors } = await connecting;
  expect(connectedServers).toEqual(names);
  expect(errors.size).toBe(0);
});

test(verifies("L22", "a server that is connected or on its way is not started again"), async () => {
  await using bench = await createWorkbench();
  const gate = bench.gate("go");
  const configs = { slow: bench.server("slow", { waitForFile: { initialize: gate } }), fast: bench.server("fast") };
  const manager = bench.createManager({ uncachedPending: "defer" });
  await manager.connectServers({ fast: configs.fast }, {}, { startupTimeoutMs: Number.POSITIVE_INFINITY });
  await manager.connectServers({ slow: configs.slow }, {}, { startupTimeoutMs: 0 });
  await bench.waitForMethod("slow", "initialize");
  const again = manager.connectServers(configs, {}, { startupTimeoutMs: 0 });
  await again;
  bench.open(gate);
  await manager.waitForConnection("slow");
  expect(bench.received("slow").filter((method) => method === "initialize")).toHaveLength(1);
  expect(bench.received("fast").filter((method) => method === "initialize")).toHaveLength(1);
});

test(
  verifies("L20 L21", "a source is known before its server connects, and the status follows the start"),
  async () => {
    await using bench = await createWorkbench();
    const [beforeInitialize, beforeList] = [bench.gate("initialize"), bench.gate("list")];
    const waitForFile = { initialize: beforeInitialize, "tools/list": beforeList };
    const manager = bench.createManager();
    expect(manager.getConnectionStatus("s")).toBe("disconnected");
    const connecting = manager.connectServers({ s: bench.server("s", { waitForFile }) }, { s: SOURCE });
    expect(manager.getSource("s")).toEqual(SOURCE);
    expect(manager.getConnectionStatus("s")).toBe("connecting");
    expect(manager.getConnection("s")).toBeUndefined();

    bench.open(beforeInitialize);
    await bench.waitForMethod("s", "tools/list");
    expect(manager.getConnectionStatus("s")).toBe("connected");
    expect(manager.describeServers()).toMatchObject([{ name: "s", status: "connected", phase: "listing", tools: 0 }]);

    bench.open(beforeList);
    await connecting;
    expect(manager.getTools().length).toBeGreaterThan(5);
    expect(manager.describeServers()[0]).not.toHaveProperty("phase");
  },
);

test(
  verifies("L21 L60", "a server whose process died counts as disconnected, its tools stay and say what happened"),
  async () => {
    await using bench = await createWorkbench();
    const manager = bench.createManager();
    await manager.connectServers({ s: bench.server("s", { stderr: "about to go\n" }) });
    const tools = manager.getTools().map((tool) => tool.name);
    const connection = manager.getConnection("s");
    process.kill(bench.pidOf("s"), "SIGKILL");
    await connection?.closed;

    expect(manager.getConnectionStatus("s")).toBe("disconnected");
    expect(manager.getConnection("s")).toBeUndefined();
    expect(manager.getTools().map((tool) => tool.name)).toEqual(tools);
    const result = await manager
      .getTools()
      .find((tool) => tool.name === "mcp_s_echo")
      ?.execute({ text: "hi" });
    expect(result).toMatchObject({ isError: true, details: { errorCode: "NOT_CONNECTED" } });
    expect(textOf(result ?? { content: [] })).toMatch(
      /^MCP error: .*SIGKILL[\s\S]*about to go[\s\S]*\/mcp reconnect s or \/mcp reload$/,
    );
  },
);

test(verifies("L60", "nothing restarts by itself; connectServers starts a dropped server again"), async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager();
  const configs = { s: bench.server("s") };
  await manager.connectServers(configs);
  const [first, connection] = [bench.pidOf("s"), manager.getConnection("s")];
  process.kill(first, "SIGKILL");
  await connection?.closed;
  await manager.getTools()[0]?.execute({});
  expect(bench.pidOf("s")).toBe(first);

  // Its tools are known, so that the gate would not wait for it.
  await manager.connectServers(configs, {}, { startupTimeoutMs: Number.POSITIVE_INFINITY });
  expect(bench.pidOf("s")).not.toBe(first);
  expect(manager.getConnectionStatus("s")).toBe("connected");
  const echo = manager.getTools().find((tool) => tool.name === "mcp_s_echo");
  expect(textOf((await echo?.execute({ text: "back" })) ?? { content: [] })).toBe("back");
});

test(
  verifies("L23 L04 L61", "an invalid or broken server is its own error, and the healthy one keeps its tools"),
  async () => {
    await using bench = await createWorkbench();
    const manager = bench.createManager();
    const { errors, tools, connectedServers } = await manager.connectServers(
      {
        good: bench.server("good"),
        invalid: { command: "" },
        missing: { command: "toolgate-no-such-command" },
        broken: bench.server("broken", { exitAt: "start", exitCode: 3, stderr: "missing FOO_TOKEN\n" }),
        refuses: bench.server("refuses", { failMethods: { "tools/list": { code: -32000, message: "not today" } } }),
      },
      { invalid: SOURCE },
    );
    expect(connectedServers).toEqual(["good", "refuses"]);
    expect(tools.map((tool) => tool.name)).toContain("mcp_good_echo");
    expect(tools.every((tool) => tool.name.startsWith("mcp_good_"))).toBe(true);
    expect(errors.get("invalid")).toMatchObject({ code: "CONFIG_INVALID", server: "invalid" });
    expect(errors.get("invalid")?.message).toContain(SOURCE.path);
    expect(errors.get("missing")).toMatchObject({ code: "SPAWN_FAILED" });
    expect(errors.get("broken")).toMatchObject({ code: "SERVER_EXITED" });
    expect(errors.get("broken")?.message).toMatch(/3[\s\S]*missing FOO_TOKEN/);
    expect(errors.get("refuses")?.message).toContain("not today");
  },
);

test(
  verifies("L24", "a server that never answers initialize fails in its time, and its process is gone by then"),
  async () => {
    await using bench = await createWorkbench();
    const manager = bench.createManager();
    const silent = {
      ...bench.server("silent", { neverAnswer: ["initialize"], ignoreEndOfInput: true }),
      startupTimeout: 400,
    };
    const { errors } = await manager.connectServers({ silent });
    expect(errors.get("silent")).toMatchObject({ code: "CONNECT_TIMEOUT" });
    expect(processIsAlive(bench.pidOf("silent"))).toBe(false);
  },
);

test("a host's refusal keeps a server from being started, and its cached tools from being shown", async () => {
  await using bench = await createWorkbench();
  const configs = { s: bench.server("s") };
  await bench.fillCache(configs);
  const before = bench.received("s").length;
  const asked: unknown[] = [];
  const manager = bench.createManager({
    startupTimeoutMs: 0,
    approve: async (request) => {
      asked.push(request);
      return false;
    },
  });
  const { errors, tools } = await manager.connectServers(
    configs,
    { s: SOURCE },
    { entries: { s: { definition: { a: 1 } } } },
  );
  expect(asked).toEqual([{ name: "s", config: configs.s, source: SOURCE, definition: { a: 1 } }]);
  expect(tools).toEqual([]);
  await waitFor(() => manager.describeServers()[0]?.status === "needs-approval", "the refusal");
  expect(errors.get("s") ?? manager.describeServers()[0]?.error).toMatchObject({ code: "NOT_TRUSTED" });
  expect(bench.received("s")).toHaveLength(before);
});

test("a server that is started again keeps its place in the tool list", async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager();
  await manager.connectServers({ a: bench.server("a"), b: bench.server("b") });
  const before = JSON.stringify(
    manager.getTools().map(({ name, description, parameters }) => [name, description, parameters]),
  );
  await manager.reconnectServer("a");
  const after = JSON.stringify(
    manager.getTools().map(({ name, description, parameters }) => [name, description, parameters]),
  );
  expect(after).toBe(before);
});
