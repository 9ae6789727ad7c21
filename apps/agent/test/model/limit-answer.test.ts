import { expect, test } from "vitest";

import { chooseModel } from "../../src/model/choose-model.ts";
import { limitAnswer } from "../../src/model/limit-answer.ts";
import { createAgentSession } from "../../src/session/create-agent-session.ts";
import { collect } from "../support/scripted-model.ts";

/** A body that goes on for as long as somebody reads it. */
function endless(chunk: string, onCancel: () => void = () => {}): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(chunk);
  return new ReadableStream({ pull: (controller) => controller.enqueue(bytes), cancel: onCancel });
}

test("an answer without an end is read up to the limit, and its connection is closed", async () => {
  let isClosed = false;
  const response = limitAnswer(new Response(endless("data: x\n\n", () => void (isClosed = true))), { answer: 1000 });
  await expect(response.text()).rejects.toThrow("an answer has more than 1000 bytes");
  expect(isClosed).toBe(true);
});

test("a line without an end is read up to the limit; many short lines are not one long line", async () => {
  await expect(limitAnswer(new Response(endless("x")), { line: 500 }).text()).rejects.toThrow("more than 500 bytes");
  const text = "x\n".repeat(5000);
  const body = new Blob([text]).stream();
  expect(await limitAnswer(new Response(body), { line: 500 }).text()).toBe(text);
});

test("who stops reading ends the request; status and headers stay", async () => {
  let isClosed = false;
  const given = new Response(
    endless("x", () => void (isClosed = true)),
    { status: 429, headers: { "retry-after": "7" } },
  );
  const response = limitAnswer(given);
  expect([response.status, response.headers.get("retry-after")]).toEqual([429, "7"]);
  await response.body?.cancel();
  await expect.poll(() => isClosed).toBe(true);
  expect(limitAnswer(new Response(null, { status: 204 })).body).toBeNull();
});

test.each(["anthropic", "openai", "google", "openai-compatible"])(
  "%s: a stream that is one gigantic line is an error of the prompt, not the end of the memory",
  async (provider) => {
    let isClosed = false;
    const headers = { "content-type": "text/event-stream" };
    const { model } = await chooseModel({
      named: `${provider}/stand-in`,
      setting: { baseUrls: { [provider]: "http://127.0.0.1:9/v1" } },
      env: { ANTHROPIC_API_KEY: "key-4711", OPENAI_API_KEY: "key-4711", GEMINI_API_KEY: "key-4711" },
      signal: new AbortController().signal,
      fetch: () =>
        Promise.resolve(
          new Response(
            endless("data: ".padEnd(1_000_000, "x"), () => void (isClosed = true)),
            { headers },
          ),
        ),
    });
    await using session = (await createAgentSession({ enableMCP: false, systemPrompt: false, model })).session;
    const events = await collect(session.prompt("hello"));
    expect(events).toEqual([
      { type: "error", message: expect.stringContaining("a line of an answer has more than 8388608 bytes") as string },
    ]);
    await expect.poll(() => isClosed).toBe(true);
  },
);
