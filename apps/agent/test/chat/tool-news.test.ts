import { rm } from "node:fs/promises";

import type { ServerTool } from "@toolgate/mcp-manager";
import { expect, test } from "vitest";

import { waitFor } from "../../../../tooling/fixture-servers/index.mjs";
import { describeToolNews, groupByServer, ToolNews } from "../../src/chat/tool-news.ts";
import { createAgentSession } from "../../src/session/create-agent-session.ts";
import type { CreateAgentSessionOptions } from "../../src/session/session-options.ts";
import { plainTool } from "../support/plain-tool.ts";
import { createScratch } from "../support/scratch.ts";

const AT_ONCE = { startupTimeoutMs: 0, uncachedPending: "defer" } as const;

function tools(server: string, names: readonly string[], description = "as ever"): ServerTool[] {
  return names.map((tool) => ({ ...plainTool(`mcp_${server}_${tool}`), description, server, tool }));
}

const newsOf = (before: ServerTool[], after: ServerTool[]): string =>
  describeToolNews(groupByServer(before), groupByServer(after));

test("what arrived, changed and vanished is one line", () => {
  const before = [...tools("db", ["a", "b", "c"]), ...tools("old", ["x"]), ...tools("same", ["y"])];
  const after = [
    ...tools("db", ["b"]),
    ...tools("db", ["c"], "other"),
    ...tools("db", ["d", "e"]),
    ...tools("docs", ["1", "2", "3"]),
    ...tools("one", ["1"]),
    ...tools("same", ["y"]),
  ];
  expect(newsOf(before, after)).toBe("+ docs (3 tools), one (1 tool)  ~ db (2 new, 1 gone, 1 changed)  - old");
  expect(newsOf(before, [])).toBe("- db, old, same");
});

test("the same tools are no news, also when they are other objects, and native tools are none", () => {
  expect(newsOf(tools("a", ["x", "y"]), tools("a", ["y", "x"]))).toBe("");
  expect(describeToolNews(groupByServer([]), groupByServer([plainTool("read")]))).toBe("");
});

test("a server's name cannot steer the terminal", () => {
  const line = newsOf([], tools("a\u001B[2J\n", ["x"]));
  expect(line).not.toContain("\u001B");
  expect(line).not.toContain("\n");
});

/** News of a session, whose bursts end when the test says so. */
async function follow(options: CreateAgentSessionOptions) {
  const { session, mcpManager: manager } = await createAgentSession(options);
  if (manager === undefined) throw new Error("the session has no manager");
  const lines: string[] = [];
  const bursts: (() => void)[] = [];
  const clock = {
    schedule: (callback: () => void) => {
      bursts.push(callback);
      return () => {};
    },
  };
  const news = new ToolNews({
    session,
    manager,
    places: { cwd: "/", home: options.home ?? "/" },
    print: (line) => lines.push(line),
    clock,
  });
  return {
    session,
    manager,
    news,
    lines,
    /** How many bursts have begun and not ended. */
    pending: () => bursts.length,
    endBurst: () => bursts.splice(0).forEach((callback) => callback()),
    async [Symbol.asyncDispose]() {
      news.stop();
      await session.dispose();
    },
  };
}

test("servers that arrive in one burst are one line, and one that fails is a line at once", async () => {
  await using scratch = await createScratch();
  const waitForFile = { initialize: scratch.file("gate") };
  await scratch.userServers({ a: { waitForFile }, b: { waitForFile }, bad: { waitForFile, exitAt: "initialize" } });
  await using chat = await follow({ ...scratch.session, mcp: AT_ONCE });
  await scratch.write("gate", "");
  await Promise.all([chat.session.waitForMCPServer("a"), chat.session.waitForMCPServer("b")]);
  await chat.session.waitForMCPServer("bad").catch(() => {});
  await waitFor(() => chat.lines.length > 0, "the failure");
  expect(chat.lines).toEqual([expect.stringMatching(/^✗ bad \(~\/\.cursor\/mcp\.json\): exited with code 1/)]);
  expect(chat.pending()).toBe(1);
  chat.endBurst();
  expect(chat.lines.slice(1)).toEqual(["+ a (11 tools), b (11 tools)"]);
});

test("a cached server that connects says nothing when its tools are the same, and what is different when not", async () => {
  await using scratch = await createScratch();
  const gate = await scratch.write("gate", "");
  const toolsFile = await scratch.write("tools.json", [definition("keep"), definition("drop"), definition("edit")]);
  const waitForFile = { initialize: gate };
  await scratch.userServers({ same: { waitForFile }, other: { waitForFile, toolsFile } });
  await (await createAgentSession(scratch.session)).session.dispose();
  await rm(gate);
  await scratch.write("tools.json", [
    definition("keep"),
    definition("edit", "Edits."),
    definition("a"),
    definition("b"),
  ]);
  await using chat = await follow({ ...scratch.session, mcp: AT_ONCE });
  await scratch.write("gate", "");
  await Promise.all([chat.session.waitForMCPServer("same"), chat.session.waitForMCPServer("other")]);
  chat.endBurst();
  expect(chat.lines).toEqual(["~ other (2 new, 1 gone, 1 changed)"]);
});

test("a server that goes by itself is told, and one that a command takes out is not", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ one: {}, two: {} });
  await using chat = await follow(scratch.session);
  await chat.news.during(async () => {
    await chat.manager.disconnectServer("one");
    await chat.session.refreshMCPTools(chat.manager.getTools());
    chat.endBurst();
  });
  chat.endBurst();
  expect(chat.lines).toEqual([]);
  await chat.manager.disconnectServer("two");
  await chat.session.refreshMCPTools(chat.manager.getTools());
  chat.endBurst();
  expect(chat.lines).toEqual(["- two"]);
});

test("a reload that brings the same servers back is no news", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ one: {} });
  await using chat = await follow(scratch.session);
  await chat.news.during(async () => {
    await chat.session.reloadMCP();
    chat.endBurst();
  });
  await scratch.userServers({ one: {}, two: {} });
  await chat.news.during(async () => void (await chat.session.reloadMCP()));
  await waitFor(() => chat.session.tools.get("mcp_two_echo"), "the new server");
  chat.endBurst();
  expect(chat.lines).toEqual(["+ two (11 tools)"]);
});

test("tools that the session gets after the burst of their arrival are told when the command ends, not with the next", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ one: {} });
  await using chat = await follow(scratch.session);
  await scratch.userServers({ one: {}, two: {} });
  await chat.news.during(async () => {
    const stop = chat.manager.subscribe(() => chat.endBurst());
    await chat.session.reloadMCP();
    await chat.session.waitForMCPServer("two");
    stop();
    chat.endBurst();
    expect(chat.lines).toEqual([]);
  });
  chat.endBurst();
  expect(chat.lines).toEqual(["+ two (11 tools)"]);
});

function definition(name: string, description = ""): object {
  return { name, description, inputSchema: { type: "object" } };
}
