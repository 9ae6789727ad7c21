import { expect, test } from "vitest";

import { verifies } from "../../../../tooling/test-support/verifies.mjs";
import type { ModelRequest } from "../../src/session/agent-model.ts";
import { createAgentSession } from "../../src/session/create-agent-session.ts";
import { plainTool } from "../support/plain-tool.ts";
import { createScratch } from "../support/scratch.ts";
import { collect, scriptedModel, toolCall } from "../support/scripted-model.ts";

const namesOf = (request: ModelRequest | undefined): string[] => (request?.tools ?? []).map(({ name }) => name);

test(
  verifies("L53", "a subagent has its own conversation and the session's connections, and answers to the model"),
  async () => {
    await using scratch = await createScratch();
    await scratch.userServers({ one: {} });
    const model = scriptedModel([
      [toolCall("1", "task", { prompt: "Ask the server.", tools: ["one.*", "read"] })],
      [toolCall("a", "mcp_one_pid")],
      ({ messages }) => [{ type: "text", text: `pid ${textOf(messages.at(-1))}` }],
      [{ type: "text", text: "done" }],
    ]);
    const { session: created } = await createAgentSession({ ...scratch.session, nativeTools: true, model });
    await using session = created;
    const pid = await session.tools.get("mcp_one_pid")?.execute({});
    const events = await collect(session.prompt("go"));
    expect(model.requests[1]?.messages).toEqual([{ role: "user", content: "Ask the server." }]);
    expect(namesOf(model.requests[0])).toContain("task");
    expect(namesOf(model.requests[1])).toEqual(expect.arrayContaining(["mcp_one_echo", "read"]));
    expect(namesOf(model.requests[1])).not.toContain("task");
    expect(namesOf(model.requests[1])).not.toContain("bash");
    const result = events.find((event) => event.type === "tool-result");
    expect(result).toMatchObject({
      toolName: "task",
      result: { isError: false, content: [{ text: `pid ${textOf({ result: pid })}` }] },
    });
    expect(events).toContainEqual({
      type: "tool-progress",
      toolCallId: "1",
      progress: { progress: 1, message: "task: mcp_one_pid" },
    });
    expect(session.messages).toHaveLength(4);
  },
);

test("what may run is decided for a subagent as for its session", async () => {
  const model = scriptedModel([
    [toolCall("1", "task", { prompt: "Do it." })],
    [toolCall("a", "danger")],
    ({ messages }) => [{ type: "text", text: textOf(messages.at(-1)) }],
    [{ type: "text", text: "done" }],
  ]);
  const { session: created } = await createAgentSession({
    enableMCP: false,
    nativeTools: true,
    tools: [plainTool("danger")],
    mayRun: (tool) => ({ allowed: tool.name !== "danger", reason: "too dangerous" }),
    model,
  });
  await using session = created;
  const events = await collect(session.prompt("go"));
  expect(events.find((event) => event.type === "tool-result")).toMatchObject({
    result: { content: [{ text: "danger was not run: too dangerous" }] },
  });
});

test("a subagent is stopped after its last step, and its failure is the call's", async () => {
  const model = scriptedModel([
    [
      toolCall("1", "task", { prompt: "For ever.", max_steps: 1 }),
      toolCall("2", "task", { prompt: "Fail.", tools: [] }),
    ],
    (request) => (isToFail(request) ? fail() : [toolCall("a", "plain")]),
    (request) => (isToFail(request) ? fail() : [toolCall("a", "plain")]),
    [{ type: "text", text: "done" }],
  ]);
  const { session: created } = await createAgentSession({
    enableMCP: false,
    nativeTools: true,
    tools: [plainTool("plain")],
    model,
  });
  await using session = created;
  const results = (await collect(session.prompt("go"))).filter((event) => event.type === "tool-result");
  expect(Object.fromEntries(results.map(({ toolCallId, result }) => [toolCallId, textOf({ result })]))).toEqual({
    1: "(no answer)\n(The subagent was stopped after 1 steps.)",
    2: "scripted failed: out of order",
  });
});

test("without a model there is nobody to give a task to", async () => {
  const { session: created } = await createAgentSession({ enableMCP: false, nativeTools: true });
  await using session = created;
  expect(await session.tools.get("task")?.execute({ prompt: "x" })).toMatchObject({ isError: true });
});

function isToFail({ messages }: ModelRequest): boolean {
  const [first] = messages;
  return first?.role === "user" && first.content === "Fail.";
}

function fail(): never {
  throw new Error("out of order");
}

function textOf(message: unknown): string {
  const result: unknown = Reflect.get(Object(message), "result");
  const content: unknown = Reflect.get(Object(result), "content");
  return Array.isArray(content)
    ? content.map((block: unknown) => String(Reflect.get(Object(block), "text"))).join()
    : "";
}
