import { expect, test } from "vitest";

import type { AgentEvent } from "../../src/session/agent-event.ts";
import type { AgentModel } from "../../src/session/agent-model.ts";
import { createAgentSession } from "../../src/session/create-agent-session.ts";
import { eventSchema, findEventProblem } from "../support/event-schema.ts";
import { createScratch } from "../support/scratch.ts";
import { collect, scriptedModel, toolCall } from "../support/scripted-model.ts";

/** Each type of event; a new one that is not listed here does not compile. */
const types: Record<AgentEvent["type"], true> = {
  text: true,
  reasoning: true,
  warning: true,
  waiting: true,
  "tool-call": true,
  "tool-progress": true,
  "tool-result": true,
  usage: true,
  error: true,
  done: true,
};

/** Whose tools nobody knows: the first prompt waits. */
const AT_ONCE = { startupTimeoutMs: 0, uncachedPending: "defer" } as const;

test("every event of real prompts is as the schema says, and the schema has them all", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ s: {} });
  await using session = (await createAgentSession({ ...scratch.session, mcp: AT_ONCE })).session;
  const prompt = (model: AgentModel): Promise<AgentEvent[]> => {
    session.model = model;
    return collect(session.prompt("go"));
  };
  const usage = { inputTokens: 1, outputTokens: 2, cachedInputTokens: 0, cost: { amount: 0.1, currency: "USD" } };
  const events = [
    ...(await prompt(
      scriptedModel([
        [
          { type: "reasoning", text: "Hm." },
          { type: "warning", message: "careful" },
          { type: "text", text: "Let me look." },
          { type: "usage", usage },
          toolCall("1", "mcp_s_echo", { text: "hi" }),
          toolCall("2", "mcp_s_progress", { steps: 2 }),
          toolCall("3", "mcp_s_fail"),
          { type: "tool-call", call: { id: "4", name: "mcp_s_echo", arguments: {}, problem: "not JSON" } },
        ],
        [{ type: "text", text: "Done." }],
      ]),
    )),
    ...(await prompt(scriptedModel([() => Promise.reject(new Error("boom"))]))),
  ];
  for (const event of events) {
    // As it is on stdout.
    expect(findEventProblem(JSON.parse(JSON.stringify(event)))).toBeUndefined();
  }
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(Object.keys(types)));
  expect(eventSchema.oneOf.map(({ properties }) => properties.type.const).toSorted()).toEqual(
    Object.keys(types).toSorted(),
  );
});

test.each([{ type: "done" }, { type: "tool-call", call: { id: 1 } }, { type: "song" }, { text: "no type" }])(
  "what is no event is none: %j",
  (value) => {
    expect(findEventProblem(value)).toBeDefined();
  },
);
