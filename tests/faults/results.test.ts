import { callTool } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { callForText, connect, scripted } from "../../packages/mcp-client/test/support/scripted.ts";

async function rawCaller() {
  const connection = await connect(scripted());
  return (result: object) => callTool(connection, "raw", { result });
}

test("every kind of content is kept as it was sent", async () => {
  const raw = await rawCaller();
  const content = [
    { type: "text", text: "t", annotations: { audience: ["user"] }, _meta: { a: 1 } },
    { type: "image", data: "aW1hZ2U=", mimeType: "image/png" },
    { type: "audio", data: "c291bmQ=", mimeType: "audio/wav" },
    { type: "resource", resource: { uri: "file:///a", mimeType: "text/plain", text: "inside" } },
    { type: "resource", resource: { uri: "file:///b", blob: "Ymxvcg==" } },
    { type: "resource_link", uri: "file:///c", name: "c", description: "for later" },
  ];
  await expect(raw({ content, structuredContent: { sum: 3 }, _meta: { trace: "x" } })).resolves.toEqual({
    content,
    isError: false,
    structuredContent: { sum: 3 },
    _meta: { trace: "x" },
  });
});

test("a failure that the tool reports is a result", async () => {
  const raw = await rawCaller();
  const content = [{ type: "text", text: "no such file" }];
  await expect(raw({ content, isError: true })).resolves.toEqual({ content, isError: true });
});

test("odd results are made into content", async () => {
  const raw = await rawCaller();
  await expect(raw({ toolResult: { a: 1 } })).resolves.toEqual({
    content: [{ type: "text", text: '{"a":1}' }],
    isError: false,
  });
  await expect(raw({ structuredContent: { a: 1 }, isError: true })).resolves.toEqual({
    content: [{ type: "text", text: '{"a":1}' }],
    structuredContent: { a: 1 },
    isError: true,
  });
  const hologram = { type: "hologram", data: "x" };
  await expect(raw({ content: [{ type: "text", text: "t" }, hologram, 7], _meta: { k: 1 } })).resolves.toEqual({
    content: [
      { type: "text", text: "t" },
      { type: "text", text: '{"type":"hologram","data":"x"}' },
      { type: "text", text: "7" },
    ],
    isError: false,
    _meta: { k: 1 },
  });
  await expect(raw({})).resolves.toEqual({ content: [], isError: false });
});

test("an answer without a bottom is a result, and the next call works", async () => {
  const connection = await connect(scripted());
  const { content } = await callTool(connection, "deep", { levels: 1_000_000 });
  expect(content).toEqual([{ type: "text", text: "(an answer that is nested too deep to be shown)" }]);
  await expect(callForText(connection, "echo", { text: "still here" })).resolves.toBe("still here");
});
