import { expect, test } from "vitest";

import { verifies } from "../../../../tooling/test-support/verifies.mjs";
import type { AgentSession } from "../../src/session/agent-session.ts";
import { createAgentSession } from "../../src/session/create-agent-session.ts";
import type { CreateAgentSessionOptions } from "../../src/session/session-options.ts";
import { plainTool, textResult } from "../support/plain-tool.ts";
import { createScratch } from "../support/scratch.ts";
import { collect, scriptedModel, toolCall } from "../support/scripted-model.ts";

async function createSession(options: CreateAgentSessionOptions): Promise<AgentSession> {
  return (await createAgentSession({ enableMCP: false, ...options })).session;
}

test("without a model a prompt is one clear error", async () => {
  await using session = await createSession({});
  expect(await collect(session.prompt("hi"))).toEqual([
    { type: "error", message: expect.stringContaining("No model is configured") },
  ]);
  expect(session.messages).toEqual([]);
});

test("a conversation is forgotten once the prompts before are done, and the next one begins anew", async () => {
  const answers = ["One.", "Two.", "Three."].map((text) => [{ type: "text" as const, text }]);
  const model = scriptedModel(answers);
  await using session = await createSession({ model });
  const first = collect(session.prompt("first"));
  const second = collect(session.prompt("second"));
  expect(await session.forget()).toBe(4);
  expect(await Promise.all([first, second])).toHaveLength(2);
  expect(session.messages).toEqual([]);
  await collect(session.prompt("third"));
  expect(model.requests.at(-1)?.messages).toEqual([{ role: "user", content: "third" }]);
});

test("tool calls of one answer run at once, and their results are in the next request", async () => {
  let running = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  const together = (name: string) =>
    plainTool(name, {
      execute: async () => {
        running += 1;
        most = Math.max(most, running);
        // Each waits for the other: one after the other they would never end.
        if (running === 2) for (const go of waiting) go();
        else await new Promise<void>((resolve) => waiting.push(resolve));
        running -= 1;
        return textResult(name, `from ${name}`);
      },
    });
  const model = scriptedModel([
    [{ type: "text", text: "Let me look." }, toolCall("1", "a"), toolCall("2", "b")],
    [{ type: "text", text: "Done." }],
  ]);
  await using session = await createSession({ model, tools: [together("a"), together("b")] });
  const events = await collect(session.prompt("go"));
  expect(most).toBe(2);
  expect(events.map((event) => event.type)).toEqual([
    "text",
    "tool-call",
    "tool-call",
    "tool-result",
    "tool-result",
    "text",
    "done",
  ]);
  expect(events.at(-1)).toEqual({ type: "done", reason: "answered", steps: 2 });
  expect(model.requests[1]?.messages).toMatchObject([
    { role: "user", content: "go" },
    { role: "assistant", content: "Let me look.", toolCalls: [{ id: "1" }, { id: "2" }] },
    { role: "tool", toolCallId: "1", result: { content: [{ text: "from a" }] } },
    { role: "tool", toolCallId: "2", result: { content: [{ text: "from b" }] } },
  ]);
});

test("an answer may have many calls that listen for an interruption, and nobody is warned of a leak", async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): number => warnings.push(warning);
  process.on("warning", onWarning);
  const listening = plainTool("listening", {
    execute: async (_args, { signal }) => {
      signal?.addEventListener("abort", () => {});
      return textResult("listening", "done");
    },
  });
  const model = scriptedModel([
    Array.from({ length: 20 }, (_, index) => toolCall(String(index), "listening")),
    [{ type: "text", text: "Done." }],
  ]);
  await using session = await createSession({ model, tools: [listening] });
  const events = await collect(session.prompt("go"));
  expect(events.filter(({ type }) => type === "tool-result")).toHaveLength(20);
  // Warnings are emitted at the next tick.
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", onWarning);
  expect(warnings).toEqual([]);
});

test("a tool that is not there, not active, not allowed or broken is an error for the model to read", async () => {
  const model = scriptedModel([
    [toolCall("1", "nope"), toolCall("2", "off"), toolCall("3", "denied"), toolCall("4", "broken")],
    [{ type: "text", text: "I see." }],
  ]);
  const broken = plainTool("broken", { execute: () => Promise.reject(new Error("boom")) });
  await using session = await createSession({ model, tools: [plainTool("off"), plainTool("denied"), broken] });
  session.tools.setActive(["denied", "broken"]);
  await collect(session.prompt("go", { mayRun: (tool) => tool.name !== "denied" }));
  const results = model.requests[1]?.messages.filter((message) => message.role === "tool");
  expect(results).toMatchObject([
    { result: { isError: true, content: [{ text: expect.stringContaining("There is no tool nope") }] } },
    { result: { isError: true, content: [{ text: expect.stringContaining("There is no tool off") }] } },
    { result: { isError: true, content: [{ text: expect.stringContaining("not allowed") }] } },
    { result: { isError: true, content: [{ text: "broken failed: boom" }] } },
  ]);
});

test("the number of steps is limited", async () => {
  const again = [toolCall("x", "a")];
  const model = scriptedModel([again, again, again]);
  await using session = await createSession({ model, tools: [plainTool("a")] });
  const events = await collect(session.prompt("go", { maxSteps: 2 }));
  expect(events.at(-1)).toEqual({ type: "done", reason: "limit", steps: 2 });
  expect(model.requests).toHaveLength(2);
});

test("a model that fails ends the prompt with its reason", async () => {
  const model = scriptedModel([() => Promise.reject(new Error("rate limit"))]);
  await using session = await createSession({ model });
  expect(await collect(session.prompt("go"))).toEqual([{ type: "error", message: "scripted failed: rate limit" }]);
});

test("an abort reaches the running tool, stays an abort and leaves whole steps in the conversation", async () => {
  const controller = new AbortController();
  const model = scriptedModel([[toolCall("1", "hang")], [{ type: "text", text: "Back." }]]);
  const hang = plainTool("hang", {
    execute: (_args, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason as Error));
        controller.abort();
      }),
  });
  await using session = await createSession({ model, tools: [hang] });
  await expect(collect(session.prompt("go", { signal: controller.signal }))).rejects.toMatchObject({
    name: "AbortError",
  });
  expect(session.messages).toEqual([{ role: "user", content: "go" }]);
  expect((await collect(session.prompt("again"))).at(-1)).toMatchObject({ type: "done" });
});

test("leaving a prompt early aborts it, and the next one waits until it is over", async () => {
  const seen: boolean[] = [];
  const model = scriptedModel([
    [
      { type: "text", text: "one" },
      { type: "text", text: "two" },
    ],
    (request) => {
      seen.push(request.signal.aborted);
      return [{ type: "text", text: "three" }];
    },
  ]);
  await using session = await createSession({ model });
  for await (const event of session.prompt("go")) if (event.type === "text") break;
  expect(model.requests[0]?.signal.aborted).toBe(true);
  const events = await collect(session.prompt("next"));
  expect(events).toContainEqual({ type: "text", text: "three" });
  expect(seen).toEqual([false]);
});

test("a session that is disposed of ends the prompt under way", async () => {
  const model = scriptedModel([[toolCall("1", "dispose")]]);
  const session: AgentSession = await createSession({
    model,
    tools: [
      plainTool("dispose", {
        execute: async () => {
          await session.dispose();
          return textResult("dispose", "gone");
        },
      }),
    ],
  });
  await expect(collect(session.prompt("go"))).rejects.toMatchObject({ name: "AbortError" });
});

test(verifies("L51", "a tool that arrives during a prompt can be called in its next turn"), async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ s: {} });
  const result = await createAgentSession({ ...scratch.session });
  await using session = result.session;
  const tools = session.tools.list();
  await session.refreshMCPTools([]);
  const model = scriptedModel([
    async () => {
      await session.refreshMCPTools(tools);
      return [toolCall("1", "mcp_s_echo", { text: "too early" })];
    },
    [toolCall("2", "mcp_s_echo", { text: "in time" })],
    [{ type: "text", text: "ok" }],
  ]);
  session.model = model;
  await collect(session.prompt("go"));
  expect(model.requests[2]?.messages.filter((message) => message.role === "tool")).toMatchObject([
    { result: { isError: true } },
    { result: { isError: false, content: [{ text: "in time" }] } },
  ]);
});
