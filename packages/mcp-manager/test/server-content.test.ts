import { join } from "node:path";

import type { MCPServerConfig } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { receivedMessages } from "../../../tooling/fixture-servers/index.mjs";
import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { npmServer } from "../../mcp-client/test/support/npm-servers.ts";
import type { MCPManagerEvent } from "../src/manager-events.ts";
import type { MCPManager } from "../src/manager.ts";
import { createWorkbench, nextEvent } from "./support/workbench.ts";

const EVERYTHING: MCPServerConfig = npmServer("server-everything", "stdio");
const RESOURCES = { subscribe: true, listChanged: true };

test(verifies("X03", "resources of all servers are merged, read by their addresses, and completed"), async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager();
  const notes = [{ uri: "note://1", name: "one", text: "first note" }];
  await manager.connectServers({ ev: EVERYTHING, notes: bench.server("notes", { resources: notes }) });

  const { items, errors } = await manager.listResources();
  expect(errors).toEqual(new Map());
  expect(items.at(-1)).toEqual({ uri: "note://1", name: "one", server: "notes", address: "notes:note://1" });
  expect(items.filter(({ server }) => server === "ev").length).toBeGreaterThan(3);
  for (const address of [items[0]?.address ?? "", "notes:note://1"]) {
    const { server, contents } = await manager.readResource(address);
    expect(address.startsWith(`${server}:`)).toBe(true);
    expect(contents[0]?.text).toEqual(expect.any(String));
  }
  expect(await manager.readResource("note://1")).toMatchObject({
    server: "notes",
    contents: [{ text: "first note" }],
  });

  const templates = (await manager.listResourceTemplates()).items;
  const template = templates.find(({ uriTemplate }) => uriTemplate.endsWith("/text/{resourceId}"));
  expect(template?.address).toBe("ev:demo://resource/dynamic/text/{resourceId}");
  const wanted = { argument: "resourceId", value: "7" };
  expect(await manager.completeResourceTemplate(template?.address ?? "", wanted)).toMatchObject({ values: ["7"] });
  expect(await manager.readResource("ev:demo://resource/dynamic/text/7")).toMatchObject({
    contents: [{ text: expect.stringContaining("Resource 7") }],
  });
});

test(
  verifies("X03", "prompts are listed, filled in, and their arguments completed with those that are known"),
  async () => {
    await using bench = await createWorkbench();
    const manager = bench.createManager();
    await manager.connectServers({ ev: EVERYTHING, other: bench.server("other", { prompts: [{ name: "hello" }] }) });
    const { items } = await manager.listPrompts();
    expect(items.map(({ server, name }) => `${server} ${name}`)).toEqual(
      expect.arrayContaining(["ev simple-prompt", "ev completable-prompt", "other hello"]),
    );
    const prompt = { server: "ev", name: "completable-prompt" };
    expect(await manager.completePromptArgument(prompt, { argument: "department", value: "S" })).toMatchObject({
      values: ["Sales", "Support"],
    });
    const known = { department: "Sales" };
    expect(await manager.completePromptArgument(prompt, { argument: "name", arguments: known })).toMatchObject({
      values: ["David", "Eve", "Frank"],
    });
    const { messages } = await manager.getPrompt({ ...prompt, arguments: { ...known, name: "Eve" } });
    expect(JSON.stringify(messages)).toContain("promote Eve");
    // A server that proposes nothing is not asked.
    expect(await manager.completePromptArgument({ server: "other", name: "hello" }, { argument: "x" })).toEqual({
      values: [],
    });
  },
);

test(
  verifies("X03 L61", "a failing server hides nothing of the others, and one without a capability is not asked"),
  async () => {
    await using bench = await createWorkbench();
    const manager = bench.createManager();
    const failMethods = Object.fromEntries(
      ["resources/list", "resources/templates/list", "prompts/list"].map((method) => [
        method,
        { code: -32603, message: "inner trouble" },
      ]),
    );
    const good = { resources: [{ uri: "a://1", name: "one" }], prompts: [{ name: "p" }] };
    await manager.connectServers({
      bad: bench.server("bad", { ...good, failMethods }),
      good: bench.server("good", good),
      plain: bench.server("plain"),
    });
    const lists = [await manager.listResources(), await manager.listPrompts()];
    for (const { items, errors } of lists) {
      expect(items.map(({ server }) => server)).toEqual(["good"]);
      expect([...errors.keys()]).toEqual(["bad"]);
      expect(errors.get("bad")).toMatchObject({
        code: "LIST_FAILED",
        message: expect.stringContaining("inner trouble"),
      });
    }
    expect((await manager.listResourceTemplates()).errors.has("bad")).toBe(true);
    expect(bench.received("plain").filter((method) => /^(resources|prompts)/.test(method))).toEqual([]);

    const one = await manager.listResources({ server: "nobody" });
    expect(one.errors.get("nobody")).toMatchObject({ code: "NOT_CONNECTED" });
    await expect(manager.readResource("good:a://2")).rejects.toMatchObject({ code: "SERVER_ERROR", server: "good" });
    await expect(manager.readResource("b://1")).rejects.toThrow(/b:\/\/1 cannot be read\. bad: [\s\S]*good: /);
    await expect(manager.subscribeResource("nobody:a://1")).rejects.toThrow(/there are: bad, good, plain/);
    await expect(manager.subscribeResource("good:a://1")).rejects.toMatchObject({ code: "NOT_OFFERED" });
  },
);

test("an abort of a list stays an abort", async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager();
  await manager.connectServers({ s: bench.server("s", { prompts: [], neverAnswer: ["prompts/list"] }) });
  const controller = new AbortController();
  const listing = expect(manager.listPrompts({ signal: controller.signal })).rejects.toMatchObject({
    name: "AbortError",
  });
  await bench.waitForMethod("s", "prompts/list");
  controller.abort();
  await listing;
});

test(
  verifies("X03", "updates of a subscribed resource are events, until the last subscription of it ends"),
  async () => {
    await using bench = await createWorkbench();
    const manager = bench.createManager();
    await manager.connectServers({ s: bench.server("s", { capabilities: { tools: {}, resources: RESOURCES } }) });
    const endFirst = await manager.subscribeResource("s:note://1");
    const endSecond = await manager.subscribeResource({ server: "s", uri: "note://1" });
    const updated = nextEvent(manager, "resource-updated");
    const params = { uri: "note://1" };
    await manager.getConnection("s")?.request("fixture/notify", { method: "notifications/resources/updated", params });
    expect(await updated).toMatchObject({ type: "resource-updated", server: "s", uri: "note://1" });

    // A server that was started again is told anew.
    await manager.reconnectServer("s");
    await bench.waitForMethod("s", "resources/subscribe", 3);
    await endFirst();
    await endFirst();
    expect(bench.received("s")).not.toContain("resources/unsubscribe");
    await endSecond();
    expect(bench.received("s")).toContain("resources/unsubscribe");
    await manager.reconnectServer("s");
    expect(bench.received("s").filter((method) => method === "resources/subscribe")).toHaveLength(3);
  },
);

test(verifies("X03", "subscriptions and log messages work with a real server"), async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager();
  await manager.connectServers({ ev: EVERYTHING });
  expect(await manager.setLoggingLevel("debug")).toEqual(new Map());
  const logged = nextEvent(manager, "server-log");
  const uri = "demo://resource/dynamic/text/1";
  const end = await manager.subscribeResource({ server: "ev", uri });
  expect(await logged).toMatchObject({ server: "ev", level: "info", data: expect.stringContaining(uri) });
  const updated = nextEvent(manager, "resource-updated");
  const toggle = manager.getTools().find(({ name }) => name === "mcp_ev_toggle-subscriber-updates");
  await toggle?.execute({});
  expect(await updated).toMatchObject({ type: "resource-updated", server: "ev", uri });
  await end();
});

test(verifies("X03", "log levels are sent per server, also to servers that connect later"), async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager();
  const capabilities = { tools: {}, logging: {} };
  await manager.connectServers({ a: bench.server("a", { capabilities }), plain: bench.server("plain") });
  await manager.setLoggingLevel("warning");
  await manager.setLoggingLevel("debug", { server: "b" });
  await manager.connectServers({
    b: bench.server("b", { capabilities }),
    c: bench.server("c", { capabilities }),
    no: bench.server("no", {
      capabilities,
      failMethods: { "logging/setLevel": { code: -32602, message: "no level" } },
    }),
  });
  await Promise.all(["a", "b", "c"].map((name) => bench.waitForMethod(name, "logging/setLevel")));
  const levelsOf = (name: string): unknown[] =>
    receivedMessages(`${bench.directory}/${name}.log`)
      .filter(({ method }) => method === "logging/setLevel")
      .map(({ params }) => params.level);
  expect([levelsOf("a"), levelsOf("b"), levelsOf("c"), levelsOf("plain")]).toEqual([
    ["warning"],
    ["debug"],
    ["warning"],
    [],
  ]);
  const errors = await manager.setLoggingLevel("error");
  expect([...errors.keys()]).toEqual(["no"]);
  expect(errors.get("no")?.message).toContain("no level");
});

test(verifies("X03 X07", "log messages are events, and hold no secret of the server's entry"), async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager();
  const config = { ...bench.server("s"), env: { API_TOKEN: "very-secret-value" } } as MCPServerConfig;
  await manager.connectServers({ s: config });
  const events: MCPManagerEvent[] = [];
  manager.subscribe((event) => void (event.type === "server-log" && events.push(event)));
  const log = (params: object): Promise<unknown> => sendLog(manager, params);
  await log({ level: "error", logger: "db", data: { text: ["token very-secret-value"], count: 1 } });
  await log({ level: "loud" });
  expect(events).toMatchObject([
    { type: "server-log", server: "s", level: "error", logger: "db", data: { text: ["token ***"], count: 1 } },
    { type: "server-log", server: "s", level: "info" },
  ]);
});

test(verifies("X03", "a request of a server is answered by the host, which learns who asks"), async () => {
  await using bench = await createWorkbench();
  const asked: unknown[] = [];
  const manager = bench.createManager({
    clientCapabilities: { sampling: {} },
    requestHandlers: {
      "sampling/createMessage": (params, { server, signal }) => {
        asked.push([server, params["maxTokens"], signal.aborted]);
        return { role: "assistant", model: "m", content: { type: "text", text: `for ${server}` } };
      },
    },
  });
  await manager.connectServers({ a: bench.server("a"), b: bench.server("b") });
  for (const server of ["a", "b"]) {
    const params = { method: "sampling/createMessage", params: { messages: [], maxTokens: 9 } };
    const { answer } = (await manager.getConnection(server)?.request("fixture/ask", params)) ?? {};
    expect(answer).toMatchObject({ result: { content: { text: `for ${server}` } } });
  }
  expect(asked).toEqual([
    ["a", 9, false],
    ["b", 9, false],
  ]);
});

test(
  verifies("X03", "a server's sampling and elicitation reach the host, which learns who asks, and are declared"),
  async () => {
    await using bench = await createWorkbench();
    const manager = bench.createManager({
      sampling: ({ maxTokens }, { server }) => ({
        role: "assistant",
        model: "m",
        content: { type: "text", text: `${maxTokens} for ${server}` },
      }),
      elicitation: {
        form: ({ message }, { server }) => ({ action: "accept", content: { said: `${message} ${server}` } }),
      },
    });
    const logFile = join(bench.directory, "asked.log");
    await manager.connectServers({ a: bench.server("a", { logFile }) });
    const ask = (method: string, params: object): Promise<unknown> | undefined =>
      manager.getConnection("a")?.request("fixture/ask", { method, params });
    expect(await ask("sampling/createMessage", { messages: [], maxTokens: 7 })).toMatchObject({
      answer: { result: { content: { text: "7 for a" } } },
    });
    const requestedSchema = { type: "object", properties: {} };
    expect(await ask("elicitation/create", { message: "who?", requestedSchema })).toMatchObject({
      answer: { result: { action: "accept", content: { said: "who? a" } } },
    });
    const initialize = receivedMessages(logFile).find(({ method }) => method === "initialize");
    expect(initialize?.params).toMatchObject({ capabilities: { sampling: {}, elicitation: { form: {} } } });
  },
);

async function sendLog(manager: MCPManager, params: object): Promise<unknown> {
  return manager.getConnection("s")?.request("fixture/notify", { method: "notifications/message", params });
}
