import { readFile } from "node:fs/promises";

import type { AgentTool } from "@toolgate/contracts";
import { expect, test } from "vitest";

import type { AgentSession } from "../../src/session/agent-session.ts";
import { createAgentSession } from "../../src/session/create-agent-session.ts";
import type { CreateAgentSessionOptions } from "../../src/session/session-options.ts";
import { plainTool, textResult } from "../support/plain-tool.ts";
import { createScratch } from "../support/scratch.ts";
import { collect, scriptedModel, toolCall } from "../support/scripted-model.ts";

/** Asks a model that calls one tool, and changes something while a person is asked about the call. */
async function callAcross(
  name: string,
  options: CreateAgentSessionOptions,
  change: (session: AgentSession) => unknown,
): Promise<string> {
  const model = scriptedModel([[toolCall("1", name, { text: "hi" })], [{ type: "text", text: "ok" }]]);
  const mayRun = async (): Promise<boolean> => {
    await change(session);
    return true;
  };
  const { session } = await createAgentSession({ ...options, model, mayRun });
  await using _ = session;
  await collect(session.prompt("go"));
  const result = session.messages.find(({ role }) => role === "tool");
  return JSON.stringify(result);
}

function toolThatNotes(ran: string[], note: string, description: string): AgentTool {
  const execute = () => {
    ran.push(note);
    return Promise.resolve(textResult(note, note));
  };
  return { ...plainTool("act", { execute }), description };
}

test("a tool that becomes another one while a person is asked about it does not run", async () => {
  const ran: string[] = [];
  const tools = [toolThatNotes(ran, "old", "Reads a file.")];
  const result = await callAcross("act", { enableMCP: false, tools }, (session) => {
    session.tools.unregister("act");
    session.tools.register(toolThatNotes(ran, "new", "Deletes a file."));
  });
  expect(ran).toEqual([]);
  expect(result).toContain("has changed while it was asked about");
});

test("a tool that is listed anew with the same definition runs as it was approved", async () => {
  const ran: string[] = [];
  const tools = [toolThatNotes(ran, "old", "Reads a file.")];
  await callAcross("act", { enableMCP: false, tools }, (session) => {
    session.tools.unregister("act");
    session.tools.register(toolThatNotes(ran, "new", "Reads a file."));
  });
  expect(ran).toEqual(["old"]);
});

test.each(["manual", "on-call", "background"] as const)(
  "a call that was approved never goes to another server of the same name, with reconnecting %s",
  async (reconnect) => {
    await using scratch = await createScratch();
    const logFile = scratch.file("other.log");
    await scratch.userServers({ one: {} });
    const options = { ...scratch.session, mcp: { reconnect } };
    const result = await callAcross("mcp_one_echo", options, async (session) => {
      await scratch.userServers({ one: { logFile } });
      await session.reloadMCP();
      await session.waitForMCPServer("one");
    });
    expect(result).toMatch(/is not connected any more|has another definition by now/);
    expect(await readFile(logFile, "utf8")).not.toContain("tools/call");
  },
);

test("two calls of one answer with the same id are two calls, each with its own result", async () => {
  const model = scriptedModel([
    [
      toolCall("same", "a"),
      toolCall("same-2", "a"),
      toolCall("same", "b"),
      { type: "replay", replay: { model: "scripted", content: [] } },
    ],
    [{ type: "text", text: "ok" }],
  ]);
  const { session } = await createAgentSession({ enableMCP: false, model, tools: [plainTool("a"), plainTool("b")] });
  await using _ = session;
  const events = await collect(session.prompt("go"));
  const ids = events.flatMap((event) =>
    event.type === "tool-result" ? [`${event.toolCallId} ${event.toolName}`] : [],
  );
  expect(ids.toSorted()).toEqual(["same a", "same-2 a", "same-3 b"]);
  const [, answer] = session.messages;
  expect(answer).not.toHaveProperty("replay");
});

test("of ten thousand calls in one answer only some run, and all are answered", async () => {
  let ran = 0;
  const execute = () => Promise.resolve(textResult("a", String((ran += 1))));
  const model = scriptedModel([
    Array.from({ length: 10_000 }, (_, index) => toolCall(String(index), "a")),
    [{ type: "text", text: "ok" }],
  ]);
  const { session } = await createAgentSession({ enableMCP: false, model, tools: [plainTool("a", { execute })] });
  await using _ = session;
  await collect(session.prompt("go"));
  expect(ran).toBe(100);
  expect(session.messages.filter(({ role }) => role === "tool")).toHaveLength(10_000);
});
