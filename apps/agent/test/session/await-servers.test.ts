import { rm } from "node:fs/promises";

import type { ServerDescription } from "@toolgate/mcp-manager";
import { expect, test } from "vitest";

import type { AgentEvent } from "../../src/session/agent-event.ts";
import { serversToAwait } from "../../src/session/await-servers.ts";
import { createAgentSession } from "../../src/session/create-agent-session.ts";
import { createScratch } from "../support/scratch.ts";
import { collect, scriptedModel } from "../support/scripted-model.ts";

/** As the chat starts: nothing is waited for before the first prompt. */
const AT_ONCE = { startupTimeoutMs: 0, uncachedPending: "defer" } as const;

function server(name: string, state: "starting" | "cached" | "cached-empty" | "ready"): ServerDescription {
  const tools = state === "cached" || state === "ready" ? 3 : 0;
  return {
    name,
    status: state === "ready" ? "connected" : "connecting",
    transport: "stdio",
    tools,
    cached: state === "cached",
    timeline: {
      ...(state === "ready" ? { endedAt: 5 } : {}),
      ...(state === "cached" || state === "cached-empty" ? { cachedToolsAt: 1 } : {}),
    },
    durations: {},
    warnings: [],
    stderr: "",
  };
}

const servers = [
  server("docs", "starting"),
  server("my-db", "starting"),
  server("files", "ready"),
  server("memory", "cached"),
  server("empty", "cached-empty"),
];

test.each([
  ["what has changed?", ["docs", "my-db"]],
  ["ask Docs what has changed", ["docs"]],
  ["documents, mydocs and docs-old are no names", ["docs", "my-db"]],
  ["@my-db:table://users?", ["my-db"]],
  ["call mcp_my-db_query", ["my-db"]],
  ["call mcp__docs__search", ["docs"]],
  ["compare docs.search with my-db/query", ["docs", "my-db"]],
  ["look at the files", []],
  ["ask memory", []],
  ["use mcp_files_read and docs", ["docs"]],
  ["ask empty", []],
])("the prompt %j waits for %j", (text, expected) => {
  expect(serversToAwait(text, servers)).toEqual(expected);
});

test("an early prompt tells which servers it waits for, and its first request has their tools", async () => {
  await using scratch = await createScratch();
  const gate = scratch.file("gate");
  await scratch.userServers({ late: { waitForFile: { initialize: gate } } });
  const model = scriptedModel([[{ type: "text", text: "Done." }]]);
  await using session = (await createAgentSession({ ...scratch.session, model, mcp: AT_ONCE })).session;
  const events: AgentEvent[] = [];
  for await (const event of session.prompt("go")) {
    events.push(event);
    if (event.type === "waiting" && event.servers.length > 0) {
      expect(model.requests).toEqual([]);
      await scratch.write("gate", "");
    }
  }
  expect(events.map(({ type }) => type)).toEqual(["waiting", "waiting", "text", "done"]);
  expect(events.slice(0, 2)).toEqual([
    { type: "waiting", servers: ["late"] },
    { type: "waiting", servers: [] },
  ]);
  expect(model.requests[0]?.tools.map(({ name }) => name)).toContain("mcp_late_echo");
});

test("a prompt that names a server does not wait for the others, and a late one joins a later turn", async () => {
  await using scratch = await createScratch();
  const gate = scratch.file("gate");
  await scratch.userServers({ quick: {}, late: { waitForFile: { initialize: gate } } });
  const model = scriptedModel([[{ type: "text", text: "One." }], [{ type: "text", text: "Two." }]]);
  await using session = (await createAgentSession({ ...scratch.session, model, mcp: AT_ONCE })).session;
  const toolsOf = (turn: number): string[] => model.requests[turn]?.tools.map(({ name }) => name) ?? [];
  // Whether it was waited for or was there already: the other one was not.
  const first = await collect(session.prompt("use quick"));
  expect(first.filter(({ type }) => type === "waiting")).not.toContainEqual({
    type: "waiting",
    servers: expect.arrayContaining(["late"]),
  });
  expect(toolsOf(0)).toContain("mcp_quick_echo");
  expect(toolsOf(0)).not.toContain("mcp_late_echo");
  const waiting = session.waitForMCPServer("late");
  await scratch.write("gate", "");
  await waiting;
  await collect(session.prompt("go on"));
  expect(toolsOf(1)).toEqual(expect.arrayContaining(["mcp_quick_echo", "mcp_late_echo"]));
});

test("the wait is bounded, and what did not make it is said", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ never: { neverAnswer: ["initialize"] } });
  const model = scriptedModel([[{ type: "text", text: "One." }], [{ type: "text", text: "Two." }]]);
  const options = { ...scratch.session, model, mcp: AT_ONCE, waitForServersMs: 1 };
  await using session = (await createAgentSession(options)).session;
  expect(await collect(session.prompt("go"))).toEqual([
    { type: "waiting", servers: ["never"] },
    { type: "waiting", servers: [] },
    { type: "warning", message: expect.stringContaining("never") },
    { type: "text", text: "One." },
    { type: "done", reason: "answered", steps: 1 },
  ]);
  const unwaited = await collect(session.prompt("go", { waitForServersMs: 0 }));
  expect(unwaited.map(({ type }) => type)).toEqual(["text", "done"]);
});

test("an abort ends the wait", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ never: { neverAnswer: ["initialize"] } });
  const model = scriptedModel([]);
  await using session = (await createAgentSession({ ...scratch.session, model, mcp: AT_ONCE })).session;
  const controller = new AbortController();
  const prompting = async (): Promise<void> => {
    for await (const event of session.prompt("go", { signal: controller.signal })) {
      if (event.type === "waiting") controller.abort();
    }
  };
  await expect(prompting()).rejects.toMatchObject({ name: "AbortError" });
  expect(model.requests).toEqual([]);
});

test("tools from the cache are offered at once, whatever their server is doing", async () => {
  await using scratch = await createScratch();
  const gate = await scratch.write("gate", "");
  await scratch.userServers({ slow: { waitForFile: { initialize: gate } } });
  await (await createAgentSession(scratch.session)).session.dispose();
  await rm(gate);
  const model = scriptedModel([[{ type: "text", text: "Done." }]]);
  await using session = (await createAgentSession({ ...scratch.session, model, mcp: AT_ONCE })).session;
  const events = await collect(session.prompt("use slow"));
  expect(events.map(({ type }) => type)).toEqual(["text", "done"]);
  expect(model.requests[0]?.tools.map(({ name }) => name)).toContain("mcp_slow_echo");
  expect(session.mcpManager?.getConnectionStatus("slow")).toBe("connecting");
});
