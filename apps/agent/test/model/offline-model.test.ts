import { expect, test } from "vitest";

import { OfflineModel } from "../../src/model/offline-model.ts";
import { findToolByWords } from "../../src/model/pick-tool.ts";
import { readPromptWords } from "../../src/model/prompt-words.ts";
import { createNativeTools } from "../../src/native-tools/create-native-tools.ts";
import type { AgentEvent } from "../../src/session/agent-event.ts";
import type { AgentSession } from "../../src/session/agent-session.ts";
import { createAgentSession } from "../../src/session/create-agent-session.ts";
import { plainTool } from "../support/plain-tool.ts";
import { createScratch } from "../support/scratch.ts";
import { collect } from "../support/scripted-model.ts";

const text = { type: "string" };
const tools = [
  {
    name: "echo",
    description: "Gives a text back.",
    inputSchema: { type: "object", properties: { text: { ...text, description: "what to say" } }, required: ["text"] },
  },
  {
    name: "add",
    description: "Adds two numbers and gives their sum.",
    inputSchema: {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a", "b"],
    },
  },
  { name: "pid", description: "The process of this server.", inputSchema: { type: "object" } },
  { name: "fail", description: "Breaks down on purpose.", inputSchema: { type: "object" } },
];

interface Talk extends AsyncDisposable {
  session: AgentSession;
  say(prompt: string): Promise<{ calls: unknown[]; text: string; events: AgentEvent[] }>;
}

async function startTalk(): Promise<Talk> {
  const scratch = await createScratch();
  await scratch.userServers({ s: { tools } });
  const { session } = await createAgentSession({ ...scratch.session, model: new OfflineModel() });
  return {
    session,
    async say(prompt) {
      const events = await collect(session.prompt(prompt));
      return {
        events,
        calls: events.flatMap((event) => (event.type === "tool-call" ? [[event.call.name, event.call.arguments]] : [])),
        text: events.flatMap((event) => (event.type === "text" ? [event.text] : [])).join(""),
      };
    },
    async [Symbol.asyncDispose]() {
      await session.dispose();
      await scratch[Symbol.asyncDispose]();
    },
  };
}

test("the name of a tool that is gone picks no other one by its words", async () => {
  await using talk = await startTalk();
  const { calls, text: answer } = await talk.say("mcp_gone_echo text=hi");
  expect(calls).toEqual([]);
  expect(answer).toBe("There is no tool mcp_gone_echo; /tools lists those that there are.");
});

test("the words of a prompt pick a tool, its values are the arguments, and the result is the answer", async () => {
  await using talk = await startTalk();
  const first = await talk.say("What is the sum of the numbers 2 and 40?");
  expect(first).toMatchObject({ calls: [["mcp_s_add", { a: 2, b: 40 }]], text: "42" });
  expect(first.events.at(-1)).toEqual({ type: "done", reason: "answered", steps: 2 });
  expect(await talk.say(`give back the text "hello there"`)).toMatchObject({
    calls: [["mcp_s_echo", { text: "hello there" }]],
    text: "hello there",
  });
});

test("of tools with the same words the one that only reads is picked", async () => {
  const both = [
    plainTool("create_directory", { annotations: { readOnlyHint: false } }),
    plainTool("list_directory", { annotations: { readOnlyHint: true } }),
  ];
  const picked = await findToolByWords(readPromptWords("what is in this directory?"), both);
  expect(picked?.tool.name).toBe("list_directory");
});

test("without any server a question about the folder lists it", async () => {
  const picked = await findToolByWords(readPromptWords("what is in this directory?"), createNativeTools({ cwd: "/" }));
  expect(picked?.tool.name).toBe("list");
});

test("a tool can be named outright, and takes what follows", async () => {
  await using talk = await startTalk();
  expect(await talk.say("mcp_s_echo hello world")).toMatchObject({ calls: [["mcp_s_echo", { text: "hello world" }]] });
  expect(await talk.say("please call s.add with b=1 a=2")).toMatchObject({
    calls: [["mcp_s_add", { a: 2, b: 1 }]],
    text: "3",
  });
});

test("what is missing is asked for, and the next prompt gives it", async () => {
  await using talk = await startTalk();
  const asked = await talk.say("add numbers a=5");
  expect(asked.calls).toEqual([]);
  expect(asked.text).toBe("mcp_s_add needs more. Say what it is, or write key=value:\n  b (number)");
  expect(await talk.say("7")).toMatchObject({ calls: [["mcp_s_add", { a: 5, b: 7 }]], text: "12" });
  expect((await talk.say("give a text back")).text).toContain("text (string): what to say");
  expect(await talk.say("these are words")).toMatchObject({ calls: [["mcp_s_echo", { text: "these are words" }]] });
});

test("a question is forgotten when another tool is named", async () => {
  await using talk = await startTalk();
  await talk.say("give a text back");
  expect(await talk.say("s.add 1 2")).toMatchObject({ calls: [["mcp_s_add", { a: 1, b: 2 }]] });
  expect((await talk.say("3 4")).calls).toEqual([]);
});

test("arguments of the wrong type are told, not sent", async () => {
  await using talk = await startTalk();
  expect(await talk.say("s.add a=many b=2")).toMatchObject({
    calls: [],
    text: 'mcp_s_add: a must be a number; "many" is not.',
  });
});

test("a tool that fails is an answer too, and words of no tool pick none", async () => {
  await using talk = await startTalk();
  expect((await talk.say("break down on purpose")).calls).toEqual([["mcp_s_fail", {}]]);
  expect(await talk.say("Wie spät ist es?")).toMatchObject({
    calls: [],
    text: expect.stringContaining("None of the tools"),
  });
  await talk.session.refreshMCPTools([]);
  expect((await talk.say("sum of 1 and 2")).text).toContain("There are no tools here");
});

test("the same conversation gives the same calls", async () => {
  const run = async (): Promise<AgentEvent[]> => {
    await using talk = await startTalk();
    const events: AgentEvent[] = [];
    for (const prompt of ["sum 1 2", "give a text back", "x"]) events.push(...(await talk.say(prompt)).events);
    return events.filter(({ type }) => type === "tool-call" || type === "text");
  };
  expect(await run()).toEqual(await run());
});

test("what is attached to a prompt that names no tool is the answer", async () => {
  await using talk = await startTalk();
  const resource = { type: "resource", resource: { uri: "x://a", text: "text of a" } } as const;
  const events = await collect(talk.session.prompt("@s:x://a", { attachments: [resource] }));
  expect(events).toEqual([
    { type: "text", text: "text of a" },
    { type: "done", reason: "answered", steps: 1 },
  ]);
});
