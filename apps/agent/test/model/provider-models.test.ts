import { expect, test } from "vitest";

import { chooseModel } from "../../src/model/choose-model.ts";
import { createAgentSession } from "../../src/session/create-agent-session.ts";
import { MODEL_KEY, startModelBench } from "../support/model-bench.ts";
import type { ModelStep } from "../support/model-server.ts";
import { startModelServer } from "../support/model-server.ts";
import type { Json, WireName } from "../support/model-wires.ts";
import { toolBytesOf, wires } from "../support/model-wires.ts";
import { collect } from "../support/scripted-model.ts";

const names = ["anthropic", "openai", "google", "openai-compatible"] as const;

const callBoth: ModelStep = {
  answer: {
    reasoning: "Two tools.",
    text: ["Let me ", "look."],
    calls: [
      { id: "call_1", name: "add", arguments: { a: 1, b: 2 } },
      { id: "call_2", name: "look", arguments: {} },
    ],
  },
};
const done: ModelStep = { answer: { text: ["All ", "done."] } };

test.each(names)("%s: text comes in pieces, tokens are counted, and the key is where it belongs", async (wire) => {
  await using bench = await startModelBench(wire, [done], {
    setting: { prices: { [`${wire}/stand-in`]: { input: 10, output: 100, cachedInput: 1 } } },
  });
  const events = await collect(bench.session.prompt("Hello."));
  expect(events).toMatchObject([
    { type: "text", text: "All " },
    { type: "text", text: "done." },
    {
      type: "usage",
      usage: { inputTokens: 100, cachedInputTokens: 40, outputTokens: 7, cost: { currency: "USD" } },
    },
    { type: "done", reason: "answered", steps: 1 },
  ]);
  const usage = events.find((event) => event.type === "usage");
  expect(usage?.usage.cost?.amount).toBeCloseTo((60 * 10 + 40 * 1 + 7 * 100) / 1_000_000, 9);
  const [request] = bench.server.requests;
  expect(JSON.stringify(request?.headers)).toContain(MODEL_KEY);
  expect(request?.text).not.toContain(MODEL_KEY);
  expect(request?.path).not.toContain(MODEL_KEY);
});

test.each(names)("%s: without prices nothing is said about cost", async (wire) => {
  await using bench = await startModelBench(wire, [done]);
  const events = await collect(bench.session.prompt("Hello."));
  expect(JSON.stringify(events)).not.toContain("cost");
});

test.each(names)("%s: parallel calls run, and their results are in the next request", async (wire) => {
  await using bench = await startModelBench(wire, [callBoth, done, done]);
  const events = await collect(bench.session.prompt("go"));
  expect(events.map((event) => event.type)).toEqual([
    "reasoning",
    "text",
    "text",
    "usage",
    "tool-call",
    "tool-call",
    "tool-result",
    "tool-result",
    "text",
    "text",
    "usage",
    "done",
  ]);
  expect(events.filter((event) => event.type === "tool-call").map(({ call }) => [call.name, call.arguments])).toEqual([
    ["add", { a: 1, b: 2 }],
    ["look", {}],
  ]);
  const [, second] = bench.server.requests;
  expect(resultsOnWire(wire, second?.body)).toEqual(["add", "look"]);
  // What the provider's reasoning needs to go on comes back as it was sent.
  const signature = {
    anthropic: "signed",
    openai: "sealed",
    google: "thought of add",
    "openai-compatible": "Let me look.",
  }[wire];
  expect(second?.text).toContain(signature);
  await collect(bench.session.prompt("and again"));
  const tools = bench.server.requests.map(({ text }) => toolBytesOf(text));
  expect(new Set(tools).size).toBe(1);
  expect(tools[0]).toContain('"add"');
});

/** Texts of the tool results in a request. */
function resultsOnWire(wire: WireName, body: Json): string[] {
  switch (wire) {
    case "anthropic":
      return body.messages
        .flatMap((message: Json) => message.content)
        .filter((part: Json) => part.type === "tool_result")
        .map((part: Json) => part.content);
    case "openai":
      return body.input.filter((item: Json) => item.type === "function_call_output").map((item: Json) => item.output);
    case "google":
      return body.contents
        .flatMap((content: Json) => content.parts)
        .filter((part: Json) => part.functionResponse !== undefined)
        .map((part: Json) => part.functionResponse.response.content);
    case "openai-compatible":
      return body.messages.filter((message: Json) => message.role === "tool").map((message: Json) => message.content);
    default:
      return wire satisfies never;
  }
}

test.each(names)("%s: a limit is waited out as Retry-After says, and then the answer comes", async (wire) => {
  await using bench = await startModelBench(wire, [
    { status: 429, headers: { "retry-after": "7" }, body: { error: { message: "slow down" } } },
    { status: 429, headers: { "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT" }, body: { error: { message: "slow" } } },
    { status: 503, body: { error: { message: "busy" } } },
    done,
  ]);
  const events = await collect(bench.session.prompt("go"));
  expect(bench.delays).toEqual([7000, 9000, 4000]);
  expect(events.filter((event) => event.type === "warning")).toMatchObject([
    { message: expect.stringMatching(/HTTP status 429: slow down\..* Trying again in 7 s\.$/) },
    { message: expect.stringContaining("Trying again in 9 s.") },
    { message: expect.stringContaining("HTTP status 503") },
  ]);
  expect(events.at(-1)).toMatchObject({ type: "done" });
});

test.each(names)("%s: a failure that does not pass is told after four tries", async (wire) => {
  await using bench = await startModelBench(wire, [{ status: 500, body: { error: { message: `boom ${MODEL_KEY}` } } }]);
  const events = await collect(bench.session.prompt("go"));
  expect(bench.delays).toEqual([1000, 2000, 4000]);
  const last = events.at(-1);
  expect(last).toMatchObject({ type: "error", message: expect.stringMatching(/HTTP status 500: boom \*\*\*\./) });
  expect(JSON.stringify(events)).not.toContain(MODEL_KEY);
});

test.each(names)("%s: nobody is kept waiting for minutes", async (wire) => {
  await using bench = await startModelBench(wire, [{ status: 429, headers: { "retry-after": "3600" } }]);
  const events = await collect(bench.session.prompt("go"));
  expect(bench.delays).toEqual([]);
  expect(events.at(-1)).toMatchObject({ type: "error", message: expect.stringContaining("HTTP status 429") });
});

test.each(names)("%s: a refusal is told at once, with what to do", async (wire) => {
  await using bench = await startModelBench(wire, [{ status: 401, body: { error: { message: "no such key" } } }]);
  const events = await collect(bench.session.prompt("go"));
  expect(events).toMatchObject([
    {
      type: "error",
      message: expect.stringMatching(/^[\w-]+\/stand-in failed: .*HTTP status 401: no such key\..* key/),
    },
  ]);
  expect(bench.server.requests).toHaveLength(1);
});

test.each(names)("%s: a stream that makes no sense or breaks off is an error, not an answer", async (wire) => {
  const cut = wires[wire].encode({ text: ["Half"] }).slice(0, wire === "anthropic" ? 4 : 3);
  await using bench = await startModelBench(wire, [
    { stream: ["data: {not json\n\n"] },
    { stream: wire === "google" ? cut.slice(0, 1) : wire === "openai-compatible" ? cut.slice(0, 2) : cut },
    done,
  ]);
  expect((await collect(bench.session.prompt("one"))).at(-1)).toMatchObject({ type: "error" });
  expect((await collect(bench.session.prompt("two"))).at(-1)).toMatchObject({ type: "error" });
  expect((await collect(bench.session.prompt("three"))).at(-1)).toMatchObject({ type: "done" });
});

test.each(names)("%s: a connection that breaks in the middle of an answer is told as that", async (wire) => {
  await using bench = await startModelBench(wire, [
    { begin: { text: ["Once ", "upon ", "a ", "time."] }, breaks: true },
  ]);
  expect((await collect(bench.session.prompt("go"))).at(-1)).toMatchObject({
    type: "error",
    message: expect.stringMatching(/ broke off its answer: other side closed\. Ask again/),
  });
});

test.each(names)("%s: an abort in mid-stream ends the connection", async (wire) => {
  const controller = new AbortController();
  await using bench = await startModelBench(wire, [{ begin: { text: ["Once ", "upon ", "a ", "time."] } }]);
  const reading = (async () => {
    for await (const event of bench.session.prompt("go", { signal: controller.signal })) {
      if (event.type === "text") controller.abort();
    }
  })();
  await expect(reading).rejects.toMatchObject({ name: "AbortError" });
  await bench.server.requests[0]?.broken;
});

test.each(names)("%s: an answer that is cut off is said to be", async (wire) => {
  await using bench = await startModelBench(wire, [{ answer: { text: ["Long"], isCut: true } }]);
  expect(await collect(bench.session.prompt("go"))).toContainEqual({
    type: "warning",
    message: expect.stringContaining("cut the answer off"),
  });
});

test.each(["anthropic", "openai", "openai-compatible"] as const)(
  "%s: arguments that are no JSON are the model's to mend",
  async (wire) => {
    const broken: ModelStep = { answer: { calls: [{ id: "call_1", name: "add", arguments: '{"a": 1' }] } };
    await using bench = await startModelBench(wire, [broken, done]);
    const events = await collect(bench.session.prompt("go"));
    expect(events.find((event) => event.type === "tool-result")).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining("not JSON") }] },
    });
    expect(events.at(-1)).toMatchObject({ type: "done" });
  },
);

test.each(names)("%s: a redirect does not carry the key elsewhere", async (wire) => {
  await using elsewhere = await startModelServer(wire, [done]);
  const moved: ModelStep = { status: 307, headers: { location: `${elsewhere.url}/v1/anything` } };
  await using bench = await startModelBench(wire, [moved]);
  expect((await collect(bench.session.prompt("go"))).at(-1)).toMatchObject({
    type: "error",
    message: expect.stringContaining("redirect"),
  });
  expect(elsewhere.requests).toEqual([]);
});

test("a server that is not there is named with its address", async () => {
  const server = await startModelServer("openai-compatible", [done]);
  await server[Symbol.asyncDispose]();
  const { model } = await chooseModel({
    named: "openai-compatible/x",
    setting: { baseUrls: { "openai-compatible": `${server.url}/v1` } },
    env: {},
    signal: new AbortController().signal,
    delay: () => Promise.resolve(),
  });
  const { session } = await createAgentSession({ enableMCP: false, model });
  const events = await collect(session.prompt("go"));
  expect(events.at(-1)).toMatchObject({
    type: "error",
    message: expect.stringMatching(new RegExp(`cannot be reached at ${server.url}/v1: .*ECONNREFUSED`)),
  });
  expect(events[0]).toMatchObject({
    type: "warning",
    message: expect.stringMatching(/ECONNREFUSED [\d.:]*\d\. Trying again in \d+ s\.$/),
  });
  await session.dispose();
});
