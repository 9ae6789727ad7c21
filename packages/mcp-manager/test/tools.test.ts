import type { ContentBlock } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { receivedMessages, waitFor } from "../../../tooling/fixture-servers/index.mjs";
import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { createSubagentTools } from "../src/subagent-tools.ts";
import { createToolResult } from "../src/tool-result.ts";
import { createWorkbench, textOf } from "./support/workbench.ts";

const ALL = { startupTimeoutMs: Number.POSITIVE_INFINITY };

test(
  verifies("L42 L43", "a live tool gives structured output, and what a tool says itself is kept as sent"),
  async () => {
    await using bench = await createWorkbench();
    const manager = bench.createManager();
    await manager.connectServers(
      { s: bench.server("s") },
      { s: { provider: "p", providerName: "P", path: "/f", level: "user" } },
    );
    const call = (name: string, args: Record<string, unknown> = {}) =>
      manager
        .getTools()
        .find((tool) => tool.name === `mcp_s_${name}`)
        ?.execute(args);

    expect(await call("add", { a: 2, b: 40 })).toMatchObject({
      content: [{ type: "text", text: "42" }],
      structuredContent: { sum: 42 },
      isError: false,
      details: { server: "s", tool: "add", provider: "p", providerName: "P" },
    });
    expect(await call("fail")).toMatchObject({ content: [{ type: "text", text: "the tool says no" }], isError: true });
    expect(await call("fail")).not.toHaveProperty("details.errorCode");
  },
);

test(verifies("L43", "a protocol error and a crash become content that begins with MCP error"), async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager();
  await manager.connectServers({
    s: bench.server("s", { failMethods: { "tools/call": { code: -32603, message: "inner trouble" } } }),
    t: bench.server("t"),
  });
  const failing = await manager
    .getTools()
    .find((tool) => tool.name === "mcp_s_echo")
    ?.execute({ text: "x" });
  expect(failing).toMatchObject({ isError: true, details: { errorCode: "SERVER_ERROR" } });
  expect(textOf(failing ?? { content: [] })).toMatch(/^MCP error: .*inner trouble/);

  const crashing = await manager
    .getTools()
    .find((tool) => tool.name === "mcp_t_crash")
    ?.execute({ code: 9 });
  expect(crashing).toMatchObject({ isError: true, details: { errorCode: "SERVER_EXITED" } });
  expect(textOf(crashing ?? { content: [] })).toMatch(/9[\s\S]*crashing on purpose/);
});

test(verifies("L43", "an abort stays an abort, and the server is told with a neutral reason"), async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager();
  await manager.connectServers({ s: bench.server("s") });
  const hang = manager.getTools().find((tool) => tool.name === "mcp_s_hang");
  const controller = new AbortController();
  const calling = hang?.execute({}, { signal: controller.signal });
  const rejected = expect(calling).rejects.toMatchObject({ name: "AbortError" });
  await bench.waitForMethod("s", "tools/call");
  controller.abort(new Error("the user's private reason"));
  await rejected;
  await bench.waitForMethod("s", "notifications/cancelled");
  const cancelled = receivedMessages(`${bench.directory}/s.log`).find(
    ({ method }) => method === "notifications/cancelled",
  );
  expect(JSON.stringify(cancelled)).not.toContain("private");
  const echo = manager.getTools().find((tool) => tool.name === "mcp_s_echo");
  expect(textOf((await echo?.execute({ text: "still here" })) ?? { content: [] })).toBe("still here");
});

test(verifies("L42", "an abort of a deferred tool's wait ends the wait, not the server"), async () => {
  await using bench = await createWorkbench();
  const gate = bench.gate("go");
  bench.open(gate);
  const configs = { s: bench.server("s", { waitForFile: { initialize: gate } }) };
  await bench.fillCache(configs);
  const { rm } = await import("node:fs/promises");
  await rm(gate);
  const manager = bench.createManager({ startupTimeoutMs: 0 });
  const { tools } = await manager.connectServers(configs);
  const echo = tools.find((tool) => tool.name === "mcp_s_echo");
  const controller = new AbortController();
  const waiting = expect(echo?.execute({ text: "x" }, { signal: controller.signal })).rejects.toMatchObject({
    name: "AbortError",
  });
  controller.abort();
  await waiting;
  const later = echo?.execute({ text: "later" });
  bench.open(gate);
  expect(textOf((await later) ?? { content: [] })).toBe("later");
});

test(
  verifies("L42 L44", "a cached tool that the server no longer has is not called, and the answer names those it has"),
  async () => {
    await using bench = await createWorkbench();
    const { writeFile } = await import("node:fs/promises");
    const toolsFile = `${bench.directory}/tools.json`;
    const tool = (name: string): object => ({ name, inputSchema: { type: "object" } });
    await writeFile(toolsFile, JSON.stringify([tool("old")]));
    const configs = { s: bench.server("s", { toolsFile }) };
    await bench.fillCache(configs);
    await writeFile(toolsFile, JSON.stringify([tool("echo"), tool("env")]));
    const manager = bench.createManager({ startupTimeoutMs: 0 });
    const { tools } = await manager.connectServers(configs);
    const result = await tools[0]?.execute({});
    expect(result).toMatchObject({ isError: true, details: { errorCode: "TOOL_NOT_FOUND" } });
    expect(textOf(result ?? { content: [] })).toContain("echo, env");
    expect(bench.received("s")).not.toContain("tools/call");
  },
);

test(
  verifies("L53", "subagents share the parent's connections, see late changes and cannot close anything"),
  async () => {
    await using bench = await createWorkbench();
    const gate = bench.gate("go");
    bench.open(gate);
    const configs = { s: bench.server("s", { waitForFile: { initialize: gate } }), t: bench.server("t") };
    await bench.fillCache(configs);
    const { rm } = await import("node:fs/promises");
    await rm(gate);
    const manager = bench.createManager({ startupTimeoutMs: 0 });
    await manager.connectServers(configs);
    const children = [1, 2, 3].map(() => createSubagentTools(manager, { allow: ["s.echo", "mcp_t_a*"] }));
    expect(children[0]?.map((tool) => tool.name)).toEqual(["mcp_s_echo", "mcp_t_add"]);
    expect(Object.keys(children[0]?.[0] ?? {})).not.toContain("close");
    bench.open(gate);
    const answers = await Promise.all(
      children.map(async (tools) => tools[0]?.execute({ text: "shared" }, { timeout: 1 })),
    );
    expect(answers.map((answer) => textOf(answer ?? { content: [] }))).toEqual(["shared", "shared", "shared"]);
    expect(bench.received("s").filter((method) => method === "initialize")).toHaveLength(2);

    await manager.disconnectServer("s");
    const gone = await children[0]?.[0]?.execute({ text: "x" });
    expect(gone).toMatchObject({ isError: true, details: { errorCode: "TOOL_NOT_FOUND" } });
  },
);

test("tool filters of an entry decide what is offered, and deferred tools are filtered alike", async () => {
  await using bench = await createWorkbench();
  const configs = { s: { ...bench.server("s"), includeTools: ["e*", "add"], excludeTools: ["env"] } };
  const first = bench.createManager();
  const live = await first.connectServers(configs, {}, ALL);
  await first.disconnectAll();
  expect(live.tools.map(({ name }) => name)).toEqual(["mcp_s_add", "mcp_s_echo"]);
  const manager = bench.createManager({ startupTimeoutMs: 0 });
  const deferred = await manager.connectServers(configs);
  expect(deferred.tools.map(({ name }) => name)).toEqual(["mcp_s_add", "mcp_s_echo"]);
  await waitFor(() => manager.describeServers()[0]?.cached === false, "the live list");
});

test(verifies("L43 X07", "a result that is a structured value alone is readable for a model, and given once"), () => {
  const subject = { server: "s", tool: "t", source: undefined, startedAt: 0 };
  const structuredContent = { sum: 3 };
  const text = (value: string): ContentBlock => ({ type: "text", text: value });
  for (const content of [[], [text(" \n")]]) {
    expect(createToolResult({ content, isError: false, structuredContent }, subject, 1)).toMatchObject({
      content: [text('{"sum":3}')],
      structuredContent,
    });
  }
  const said = [text("The sum is 3.")];
  expect(createToolResult({ content: said, isError: false, structuredContent }, subject, 1).content).toBe(said);
});
