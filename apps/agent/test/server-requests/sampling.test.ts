import { expect, test } from "vitest";

import { waitFor } from "../../../../tooling/fixture-servers/index.mjs";
import { OfflineModel } from "../../src/model/offline-model.ts";
import type { AgentModel } from "../../src/session/agent-model.ts";
import { createAskingSession } from "../support/asking-session.ts";
import { scriptedModel } from "../support/scripted-model.ts";
import { untilWithdrawn } from "../support/scripted-terminal.ts";

const text = (words: string): object => ({ type: "text", text: words });
const hello = { maxTokens: 50, messages: [{ role: "user", content: text("hello") }] };

test("a person sees the request and the answer, and the model gets all that the server gave", async () => {
  const model = scriptedModel([
    [
      { type: "text", text: "Good " },
      { type: "text", text: "day." },
    ],
  ]);
  await using asking = await createAskingSession(["y", ""], model);
  const image = { type: "image", data: "aGk=", mimeType: "image/png" };
  const answer = await asking.sample({
    maxTokens: 50,
    systemPrompt: "Be brief.",
    temperature: 0.5,
    stopSequences: ["END"],
    messages: [
      { role: "user", content: text("hello") },
      { role: "assistant", content: text("yes?") },
      { role: "user", content: [text("what is this?"), image] },
    ],
  });
  expect(answer).toEqual({
    role: "assistant",
    content: { type: "text", text: "Good day." },
    model: "scripted",
    stopReason: "endTurn",
  });
  expect(model.requests).toMatchObject([
    {
      tools: [],
      system: "Be brief.",
      maxOutputTokens: 50,
      temperature: 0.5,
      stopSequences: ["END"],
      messages: [
        { role: "user", content: "hello" },
        { role: "assistant", content: "yes?", toolCalls: [] },
        { role: "user", content: "what is this?", attachments: [image] },
      ],
    },
  ]);
  expect(asking.terminal.shown.slice(0, 2)).toEqual([
    [
      "? one wants scripted to answer with at most 50 tokens, at your cost. Its words:",
      "  system:",
      "  │ Be brief.",
      "  user:",
      "  │ hello",
      "  assistant:",
      "  │ yes?",
      "  user:",
      "  │ what is this?",
      "  │ [image image/png, 2 bytes]",
    ].join("\n"),
    "Answer it? [y]es once, [a]lways for this server in this session, [N]o: ",
  ]);
  expect(asking.terminal.shown.slice(2)).toEqual(["The answer:\n  │ Good day.", "Send it to one? [Y/n] "]);
});

test.each([
  { answers: [""], asked: 0 },
  { answers: ["n"], asked: 0 },
  { answers: ["y", "n"], asked: 1 },
])("the answers $answers send nothing", async ({ answers, asked }) => {
  const model = scriptedModel([[{ type: "text", text: "secret" }]]);
  await using asking = await createAskingSession(answers, model);
  const answer = await asking.sample(hello);
  expect(answer).toMatchObject({ error: { code: -1, message: expect.stringContaining("declined") } });
  expect(JSON.stringify(answer)).not.toContain("secret");
  expect(model.requests).toHaveLength(asked);
});

test("always is asked about once, and neither of it after that", async () => {
  const model = scriptedModel([[{ type: "text", text: "one" }], [{ type: "text", text: "two" }]]);
  await using asking = await createAskingSession(["a"], model);
  expect(await asking.sample(hello)).toMatchObject({ content: { text: "one" } });
  expect(await asking.sample(hello)).toMatchObject({ content: { text: "two" } });
  expect(asking.terminal.shown.at(-1)).toBe("● one asks scripted, as you allow it in this session.");
});

test.each([{ model: undefined }, { model: new OfflineModel() }])(
  "without a model the server is told so, and nobody is asked",
  async ({ model }) => {
    await using asking = await createAskingSession([], model);
    expect(await asking.sample(hello)).toEqual({ error: { code: -1, message: "No model is configured." } });
    expect(asking.terminal.asked).toEqual([]);
  },
);

test("why a model failed is told to the person and not to the server", async () => {
  const model = scriptedModel([() => Promise.reject(new Error("the account at 10.0.0.1 is empty"))]);
  await using asking = await createAskingSession(["y"], model);
  expect(await asking.sample(hello)).toEqual({ error: { code: -32_603, message: "The model failed." } });
  expect(asking.terminal.shown).toContain("✗ the account at 10.0.0.1 is empty");
});

test("an answer that is under way ends when the person cancels it, and when the server takes its request back", async () => {
  const call = new AbortController();
  const acts = [() => void asking.requests.cancelCurrent(), () => call.abort()];
  const signals: AbortSignal[] = [];
  const endless: AgentModel = {
    id: "endless",
    // oxlint-disable-next-line require-yield -- it never gets so far
    async *respond({ signal }) {
      signals.push(signal);
      acts[signals.length - 1]?.();
      await untilAborted(signal);
    },
  };
  const asking = await createAskingSession(["y", "y"], endless);
  await using _ = asking;
  expect(await asking.sample(hello)).toMatchObject({ error: { code: -1 } });
  expect(asking.terminal.shown.at(-1)).toBe("Cancelled; one was told so.");
  await expect(asking.sample(hello, call.signal)).rejects.toThrow("was cancelled");
  await waitFor(() => signals[1]?.aborted, "the end of the answer");
});

test("an answer that was cut off says so", async () => {
  const cut = { type: "finish", reason: "length" } as const;
  await using asking = await createAskingSession(["y", "y"], scriptedModel([[{ type: "text", text: "Good" }, cut]]));
  expect(await asking.sample(hello)).toMatchObject({ content: { text: "Good" }, stopReason: "maxTokens" });
});

test("a question about an answer can be cancelled", async () => {
  const model = scriptedModel([[{ type: "text", text: "secret" }]]);
  const asking = await createAskingSession(["y", untilWithdrawn(() => void asking.requests.cancelCurrent())], model);
  await using _ = asking;
  expect(await asking.sample(hello)).toEqual({ error: { code: -1, message: "The person cancelled the request." } });
});

test.each([
  [{ maxTokens: 0 }, "maxTokens"],
  [{ messages: [] }, "empty"],
  [{ systemPrompt: 7 }, "systemPrompt"],
  [{ stopSequences: [7] }, "stopSequences"],
  [{ messages: [{ role: "system", content: text("x") }] }, "role"],
  [{ messages: [{ role: "user", content: { type: "tool_result" } }] }, "not supported"],
  [{ messages: [{ role: "user", content: text("x".repeat(200_001)) }] }, "more than 200000 characters"],
  [{ messages: Array.from({ length: 201 }, () => hello.messages[0]) }, "more than 200 messages"],
  [{ tools: [{ name: "x", inputSchema: {} }] }, "Tools"],
])("a request that cannot be answered is an error: %#", async (difference, reason) => {
  await using asking = await createAskingSession([], scriptedModel([]));
  expect(await asking.sample({ ...hello, ...difference })).toMatchObject({
    error: { code: -32_602, message: expect.stringContaining(reason) },
  });
  expect(asking.terminal.asked).toEqual([]);
});

async function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}
