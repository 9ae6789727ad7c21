import { expect, onTestFinished, test, vi } from "vitest";

import type { ModelEvent, ModelRequest } from "../../src/session/agent-model.ts";
import type { ModelBench } from "../support/model-bench.ts";
import { startModelBench } from "../support/model-bench.ts";
import type { ModelStep } from "../support/model-server.ts";
import type { Json, WireName } from "../support/model-wires.ts";
import { plainTool } from "../support/plain-tool.ts";
import { collect } from "../support/scripted-model.ts";

const names = ["anthropic", "openai", "google", "openai-compatible"] as const;
const done: ModelStep = { answer: { text: ["Done."] } };

/** Asks the model itself, without the session's loop. */
async function ask({ model }: ModelBench, request: Partial<ModelRequest> = {}): Promise<ModelEvent[]> {
  const messages = [{ role: "user" as const, content: "Hello." }];
  return await collect(model.respond({ messages, tools: [], signal: new AbortController().signal, ...request }));
}

test.each(names)("%s: what stands above a conversation is the request's system text", async (wire) => {
  await using bench = await startModelBench(wire, [done]);
  await ask(bench, { system: "Be brief." });
  await ask(bench);
  const [first, second] = bench.server.requests;
  expect(systemOf(wire, first?.body)).toBe("Be brief.");
  expect(systemOf(wire, second?.body)).toBeUndefined();
});

test("the AI SDK writes neither warnings nor failures to the console", async () => {
  const written = (["log", "info", "warn", "error"] as const).map((level) => vi.spyOn(console, level));
  onTestFinished(() => written.forEach((spy) => spy.mockRestore()));
  await using bench = await startModelBench("openai", [done, { status: 401 }]);
  await ask(bench, { stopSequences: ["END"] });
  await expect(ask(bench)).rejects.toThrow("HTTP status 401");
  expect(written.flatMap((spy) => spy.mock.calls)).toEqual([]);
});

test("the most tokens of an answer are the request's, else the setting's", async () => {
  const setting = { models: { "anthropic/stand-in": { maxOutputTokens: 50_000 } } };
  await using bench = await startModelBench("anthropic", [done], { setting });
  await ask(bench);
  await ask(bench, { maxOutputTokens: 12 });
  expect(bench.server.requests.map(({ body }) => body.max_tokens)).toEqual([50_000, 12]);
});

function systemOf(wire: WireName, body: Json): unknown {
  if (wire === "anthropic") return body.system?.[0]?.text;
  if (wire === "google") return body.systemInstruction?.parts[0].text;
  const messages = wire === "openai" ? body.input : body.messages;
  return messages.find(({ role }: Json) => role === "system")?.content;
}

test.each(names)("%s: limits of an answer are told in the provider's words", async (wire) => {
  await using bench = await startModelBench(wire, [done]);
  const limits = { maxOutputTokens: 77, temperature: 0.25, stopSequences: ["END"] };
  const events = await ask(bench, limits);
  const body: Json = bench.server.requests[0]?.body;
  const told = {
    anthropic: [body.max_tokens, body.temperature, body.stop_sequences],
    openai: [body.max_output_tokens, body.temperature, ["END"]],
    google: [
      body.generationConfig?.maxOutputTokens,
      body.generationConfig?.temperature,
      body.generationConfig?.stopSequences,
    ],
    "openai-compatible": [body.max_tokens, body.temperature, body.stop],
  }[wire];
  expect(told).toEqual([77, 0.25, ["END"]]);
  // Its protocol has no place for texts at which an answer ends.
  const warnings = events.filter(({ type }) => type === "warning");
  expect(warnings).toEqual(
    wire === "openai" ? [{ type: "warning", message: "OpenAI was not given stopSequences." }] : [],
  );
  expect((await ask(bench, limits)).some(({ type }) => type === "warning")).toBe(false);
});

test.each(names)("%s: callers hear why an answer ended", async (wire) => {
  await using bench = await startModelBench(wire, [
    done,
    { answer: { text: ["Long"], isCut: true } },
    { answer: { calls: [{ id: "call_1", name: "add", arguments: {} }] } },
  ]);
  const reasons: unknown[] = [];
  for (const tools of [[], [], [plainTool("add")]]) {
    reasons.push((await ask(bench, { tools })).filter(({ type }) => type === "finish"));
  }
  expect(reasons).toEqual(["stop", "length", "tool-calls"].map((reason) => [{ type: "finish", reason }]));
});

test.each(names)("%s: what goes with a prompt is in its message", async (wire) => {
  await using bench = await startModelBench(wire, [done], {
    setting: { models: { [`${wire}/stand-in`]: { images: true } } },
  });
  const attachments = [
    { type: "resource" as const, resource: { uri: "file:///notes.md", text: "Remember the milk." } },
    { type: "image" as const, data: "iVBORw0KGgo=", mimeType: "image/png" },
    { type: "resource" as const, resource: { uri: "file:///cat.png", mimeType: "image/png", blob: "iVBORw0KGg==" } },
  ];
  await ask(bench, { messages: [{ role: "user", content: "Look at this.", attachments }] });
  const { text = "" } = bench.server.requests[0] ?? {};
  for (const part of ["Look at this.", "file:///notes.md:\\nRemember the milk.", "iVBORw0KGgo=", "iVBORw0KGg=="]) {
    expect(text).toContain(part);
  }
});

test("Anthropic is told where its cache ends: tools, system text and the last message", async () => {
  await using bench = await startModelBench("anthropic", [
    {
      answer: {
        calls: [
          { id: "call_1", name: "add", arguments: {} },
          { id: "call_2", name: "look", arguments: {} },
        ],
      },
    },
    done,
  ]);
  await collect(bench.session.prompt("go"));
  await ask(bench, { system: "Be brief.", tools: [plainTool("add"), plainTool("look")] });
  expect(bench.server.requests.map(({ body }) => marksOf(body, []))).toEqual([
    ["messages.0.content.0", "tools.1"],
    ["messages.2.content.1", "tools.1"],
    ["messages.0.content.0", "system.0", "tools.1"],
  ]);
});

/** Paths of the parts of a body that bear a mark. */
function marksOf(value: Json, path: readonly string[]): string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = value.cache_control?.type === "ephemeral" ? [path.join(".")] : [];
  return [...own, ...Object.entries(value).flatMap(([key, part]) => marksOf(part, [...path, key]))].toSorted();
}

test.each(["openai", "google", "openai-compatible"] as const)("%s: caches by itself", async (wire) => {
  await using bench = await startModelBench(wire, [done]);
  await ask(bench, { system: "Be brief.", tools: [plainTool("add")] });
  expect(bench.server.requests[0]?.text).not.toMatch(/cache/i);
});

test.each(names)("%s: whoever stops reading ends the request", async (wire) => {
  await using bench = await startModelBench(wire, [{ begin: { text: ["Once ", "upon ", "a ", "time."] } }]);
  const { signal } = new AbortController();
  for await (const event of bench.model.respond({ messages: [{ role: "user", content: "go" }], tools: [], signal })) {
    if (event.type === "text") break;
  }
  await bench.server.requests[0]?.broken;
});
