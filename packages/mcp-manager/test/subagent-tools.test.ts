import { writeFileSync } from "node:fs";

import { expect, test } from "vitest";

import { processIsAlive } from "../../../tooling/fixture-servers/index.mjs";
import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { createSubagentTools, createSubagentToolSet } from "../src/subagent-tools.ts";
import { createWorkbench, nextEvent, textOf } from "./support/workbench.ts";

test(verifies("L53", "the allow-list takes names and globs in every spelling"), async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager();
  await manager.connectServers({ s: bench.server("s"), t: bench.server("t") });
  const namesOf = (...allow: string[]): string[] => createSubagentTools(manager, { allow }).map(({ name }) => name);
  expect(namesOf("mcp_s_echo")).toEqual(["mcp_s_echo"]);
  expect(namesOf("s.echo", "t/add", "mcp__t__env")).toEqual(["mcp_s_echo", "mcp_t_add", "mcp_t_env"]);
  expect(namesOf("s.e*", "t/?wd", "mcp_t_ad*")).toEqual(["mcp_s_echo", "mcp_s_env", "mcp_t_add", "mcp_t_cwd"]);
  expect(namesOf("nothing", "S.echo")).toEqual([]);
  expect(namesOf()).toEqual([]);
  expect(createSubagentTools(manager)).toHaveLength(manager.getTools().length);
});

test(verifies("L53", "a subagent's list follows the parent's, and a tool that stays is the same object"), async () => {
  await using bench = await createWorkbench();
  const toolsFile = `${bench.directory}/tools.json`;
  const writeTools = (...names: string[]): void =>
    writeFileSync(toolsFile, JSON.stringify(names.map((name) => ({ name, inputSchema: { type: "object" } }))));
  writeTools("echo", "env");
  const manager = bench.createManager();
  await manager.connectServers({ s: bench.server("s", { toolsFile }) });
  using child = createSubagentToolSet(manager, { allow: ["s.e*", "s.pid"] });
  const [echo] = child.list();
  expect(child.list().map(({ name }) => name)).toEqual(["mcp_s_echo", "mcp_s_env"]);
  writeTools("echo", "pid", "cwd");
  const changed = nextEvent(manager, "tools-changed");
  await manager.getConnection("s")?.request("fixture/notify", { method: "notifications/tools/list_changed" });
  await changed;
  expect(child.list().map(({ name }) => name)).toEqual(["mcp_s_echo", "mcp_s_pid"]);
  expect(child.list()[0]).toBe(echo);
  const [, pid] = child.list();
  expect(textOf((await pid?.execute({})) ?? { content: [] })).toBe(String(bench.pidOf("s")));
});

test(verifies("L53", "the parent has a say in each call, with its own tool, and its limits apply"), async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager({ outputLimits: { directory: bench.directory, textBytes: 10 } });
  await manager.connectServers({ s: bench.server("s") });
  const asked: unknown[] = [];
  const tools = createSubagentTools(manager, {
    allow: ["s.echo", "s.add", "s.pid"],
    mayRun: async (tool, args) => {
      asked.push([tool === manager.getTools().find(({ name }) => name === tool.name), tool.name, args]);
      if (tool.name === "mcp_s_pid") throw new Error("the dialog was lost");
      return tool.name === "mcp_s_echo";
    },
  });
  const [add, echo, pid] = tools;
  expect(await add?.execute({ a: 1, b: 2 })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining("mcp_s_add was not run") }],
    details: { server: "s", tool: "add" },
  });
  expect(await pid?.execute({})).toMatchObject({
    isError: true,
    content: [{ text: "MCP error: the dialog was lost" }],
  });
  expect(bench.received("s")).not.toContain("tools/call");
  const result = await echo?.execute({ text: "0123456789abc" });
  expect(result?.content[0]).toEqual({ type: "text", text: "0123456789" });
  expect(result?.details.truncated?.omittedBytes).toBe(3);
  expect(asked).toEqual([
    [true, "mcp_s_add", { a: 1, b: 2 }],
    [true, "mcp_s_pid", {}],
    [true, "mcp_s_echo", { text: "0123456789abc" }],
  ]);
});

test(verifies("L53", "a cancelled call of one subagent leaves the calls of the others alone"), async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager();
  await manager.connectServers({ s: bench.server("s") });
  const [one, two] = [1, 2].map(() => createSubagentTools(manager, { allow: ["s.hang"] })[0]);
  const controllers = [new AbortController(), new AbortController()] as const;
  const first = expect(one?.execute({}, { signal: controllers[0].signal })).rejects.toMatchObject({
    name: "AbortError",
  });
  const second = two?.execute({}, { signal: controllers[1].signal });
  await bench.waitForMethod("s", "tools/call", 2);
  controllers[0].abort();
  await first;
  await bench.waitForMethod("s", "notifications/cancelled");
  const [echo] = createSubagentTools(manager, { allow: ["s.echo"] });
  expect(textOf((await echo?.execute({ text: "on" })) ?? { content: [] })).toBe("on");
  expect(bench.received("s").filter((method) => method === "notifications/cancelled")).toHaveLength(1);
  const ended = expect(second).rejects.toMatchObject({ name: "AbortError" });
  controllers[1].abort();
  await ended;
});

test(
  verifies("L53", "three subagents share one connection, and one that is disposed of ends its own calls only"),
  async () => {
    await using bench = await createWorkbench();
    const manager = bench.createManager();
    await manager.connectServers({ s: bench.server("s") });
    const children = [1, 2, 3].map(() => createSubagentToolSet(manager, { allow: ["s.hang", "s.echo"] }));
    const toolOf = (index: number, name: string) => children[index]?.list().find((tool) => tool.name === name);
    const hanging = [0, 1].map((index) => toolOf(index, "mcp_s_hang")?.execute({}));
    await bench.waitForMethod("s", "tools/call", 2);

    const aborted = expect(hanging[0]).rejects.toMatchObject({ name: "AbortError" });
    children[0]?.dispose();
    children[0]?.dispose();
    await aborted;
    await expect(toolOf(0, "mcp_s_echo")?.execute({ text: "x" })).rejects.toMatchObject({ name: "AbortError" });
    expect(textOf((await toolOf(2, "mcp_s_echo")?.execute({ text: "here" })) ?? { content: [] })).toBe("here");
    expect(manager.getConnectionStatus("s")).toBe("connected");
    expect(processIsAlive(bench.pidOf("s"))).toBe(true);
    expect(bench.received("s").filter((method) => method === "initialize")).toHaveLength(1);
    expect(bench.received("s").filter((method) => method === "notifications/cancelled")).toHaveLength(1);

    const rest = expect(hanging[1]).rejects.toMatchObject({ name: "AbortError" });
    for (const child of children) child.dispose();
    await rest;
  },
);

test(verifies("L53", "a subagent that ends while the parent is asked gives up its wait"), async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager();
  await manager.connectServers({ s: bench.server("s") });
  const ending = new AbortController();
  const [echo] = createSubagentTools(manager, {
    allow: ["s.echo"],
    signal: ending.signal,
    mayRun: () => new Promise(() => {}),
  });
  const waiting = expect(echo?.execute({ text: "x" })).rejects.toMatchObject({ name: "AbortError" });
  ending.abort();
  await waiting;
  expect(bench.received("s")).not.toContain("tools/call");
});
