import type { AgentTool } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { startModelBench } from "../support/model-bench.ts";
import type { ModelStep } from "../support/model-server.ts";
import type { Json } from "../support/model-wires.ts";
import { plainTool, textResult } from "../support/plain-tool.ts";
import { collect } from "../support/scripted-model.ts";

const pixel = "iVBORw0KGgo=";
const steps: ModelStep[] = [
  {
    answer: {
      calls: [
        { id: "call_1", name: "look", arguments: {} },
        { id: "call_2", name: "add", arguments: {} },
      ],
    },
  },
  { answer: { text: ["I see."] } },
];

function camera(): AgentTool {
  const content = [
    { type: "text" as const, text: "a picture" },
    { type: "text" as const, text: "" },
    { type: "image" as const, data: pixel, mimeType: "image/png" },
    { type: "image" as const, data: pixel, mimeType: "image/tiff" },
  ];
  return plainTool("look", { execute: () => Promise.resolve({ ...textResult("look", ""), content }) });
}

test.each(["anthropic", "openai", "google"] as const)("%s: an image is in the tool's result", async (wire) => {
  await using bench = await startModelBench(wire, steps, {
    tools: [camera(), plainTool("add")],
    name: wire === "google" ? "gemini-4-argon" : "stand-in",
  });
  await collect(bench.session.prompt("go"));
  const { text = "" } = bench.server.requests[1] ?? {};
  expect(text.split(pixel)).toHaveLength(2);
  expect(text).not.toContain('"text":""');
  expect(text).toContain("[image image/tiff, 8 bytes: it was not passed on, the model takes no images of this type]");
});

test("a model of which the settings say that it takes no images gets none", async () => {
  const setting = { models: { "anthropic/stand-in": { images: false } } };
  await using bench = await startModelBench("anthropic", steps, { tools: [camera(), plainTool("add")], setting });
  await collect(bench.session.prompt("go"));
  expect(bench.server.requests[1]?.text).not.toContain(pixel);
});

test("a compatible server gets a note in place of an image, which says how that is changed", async () => {
  await using bench = await startModelBench("openai-compatible", steps, { tools: [camera(), plainTool("add")] });
  await collect(bench.session.prompt("go"));
  const body: Json = bench.server.requests[1]?.body;
  expect(body.messages.map(({ role }: Json) => role)).toEqual(["user", "assistant", "tool", "tool"]);
  expect(JSON.stringify(body)).not.toContain(pixel);
  expect(body.messages[2].content).toContain(
    "[image image/png, 8 bytes: it was not passed on, openai-compatible/stand-in",
  );
  expect(body.messages[2].content).toContain('{"model":{"models":{"openai-compatible/stand-in":{"images":true}}}}');
});

test("a compatible server whose model takes images gets them right after the results", async () => {
  const setting = { models: { "openai-compatible/stand-in": { images: true } } };
  await using bench = await startModelBench("openai-compatible", steps, {
    tools: [camera(), plainTool("add")],
    setting,
  });
  await collect(bench.session.prompt("go"));
  const body: Json = bench.server.requests[1]?.body;
  expect(body.messages.slice(2)).toMatchObject([
    {
      role: "tool",
      tool_call_id: "call_1",
      content: expect.stringContaining("[image image/png: it follows the results]"),
    },
    { role: "tool", tool_call_id: "call_2", content: "add" },
    {
      role: "user",
      content: [
        { type: "text", text: "Images in the result of look:" },
        { type: "image_url", image_url: { url: `data:image/png;base64,${pixel}` } },
      ],
    },
  ]);
});
