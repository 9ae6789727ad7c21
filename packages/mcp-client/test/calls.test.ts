import { expect, test } from "vitest";

import { callTool } from "../src/index.ts";
import { callForText, connect, failureOf, scripted } from "./support/scripted.ts";

test("notifications reach those who listen to their method, until they stop", async () => {
  const connection = await connect(scripted());
  const seen: unknown[] = [];
  const stop = connection.onNotification("notifications/tools/list_changed", (params) => seen.push(params));
  const notify = (method: string) => callForText(connection, "notify", { method, params: { from: method } });
  await notify("notifications/tools/list_changed");
  await notify("notifications/message");
  stop();
  await notify("notifications/tools/list_changed");
  expect(seen).toEqual([{ from: "notifications/tools/list_changed" }]);
});

test("a notification of ours reaches the server", async () => {
  const connection = await connect(scripted());
  await connection.notify("notifications/roots/list_changed").catch(() => {});
  await connection.notify("notifications/custom", { a: 1 });
  expect(await callForText(connection, "received")).toContain('"method":"notifications/custom"');
});

test("odd results are made into content", async () => {
  const connection = await connect(scripted());
  const raw = (result: object) => callTool(connection, "raw", { result });
  await expect(raw({ toolResult: { a: 1 } })).resolves.toEqual({
    content: [{ type: "text", text: '{"a":1}' }],
    isError: false,
  });
  await expect(raw({ structuredContent: { a: 1 }, isError: true })).resolves.toEqual({
    content: [{ type: "text", text: '{"a":1}' }],
    structuredContent: { a: 1 },
    isError: true,
  });
  await expect(
    raw({
      content: [
        { type: "text", text: "t" },
        { type: "hologram", data: "x" },
      ],
      _meta: { k: 1 },
    }),
  ).resolves.toEqual({
    content: [
      { type: "text", text: "t" },
      { type: "text", text: '{"type":"hologram","data":"x"}' },
    ],
    isError: false,
    _meta: { k: 1 },
  });
  await expect(raw({})).resolves.toEqual({ content: [], isError: false });
});

test("an answer of 12 MB arrives", async () => {
  const connection = await connect(scripted());
  expect(await callForText(connection, "big", { size: 12_000_000 })).toHaveLength(12_000_000);
});

test("an answer beyond the limit fails its own call only", async () => {
  const connection = await connect(scripted());
  const error = await failureOf(callTool(connection, "big", { size: 70_000_000 }));
  expect(error).toMatchObject({ code: "TOO_LARGE", server: "fixture" });
  await expect(callForText(connection, "echo", { text: "still here" })).resolves.toBe("still here");
});

test("what is sent to a server that does not read does not pile up for ever", async () => {
  const connection = await connect(scripted({ ignoreEnd: true }));
  await callForText(connection, "stopReading");
  const text = "x".repeat(30_000_000);
  const waiting = [1, 2].map(() => failureOf(callTool(connection, "echo", { text })));
  const refused = await failureOf(callTool(connection, "echo", { text }));
  expect(refused).toMatchObject({ code: "SERVER_ERROR" });
  expect(refused.message).toContain("does not read its input");
  await connection.close();
  for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ code: "CLOSED" });
});

test("a request that is too long is not sent", async () => {
  const connection = await connect(scripted());
  const error = await failureOf(callTool(connection, "echo", { text: "x".repeat(68_000_000) }));
  expect(error).toMatchObject({ code: "TOO_LARGE" });
  await expect(callForText(connection, "echo", { text: "y" })).resolves.toBe("y");
});
