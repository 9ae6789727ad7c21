import { expect, onTestFinished, test } from "vitest";

import { fixtureServer } from "../../../../tooling/fixture-servers/index.mjs";
import { observeMessage } from "../../src/connection/observe-message.ts";
import { callTool, connectToServer } from "../../src/index.ts";
import type { ObservedMessage } from "../../src/index.ts";
import { serveEras } from "../support/eras.ts";

const SECRET = "s3cret-value-0123";

test("whoever looks on sees every message of a process, with its secrets masked", async () => {
  const messages: ObservedMessage[] = [];
  const entry = fixtureServer();
  const connection = await connectToServer(
    "s",
    { ...entry, env: { KEY: SECRET } },
    { onMessage: (message) => messages.push(message) },
  );
  onTestFinished(() => connection.close());
  await callTool(connection, "echo", { text: `it is ${SECRET}`, password: "hunter22" });
  expect(messages.map(({ direction, kind, method }) => [direction, kind, method])).toEqual([
    ["sent", "request", "initialize"],
    ["received", "response", undefined],
    ["sent", "notification", "notifications/initialized"],
    ["sent", "request", "tools/call"],
    ["received", "response", undefined],
  ]);
  const [, , , call, answer] = messages;
  expect(answer?.id).toBe(call?.id);
  expect(call?.text(10_000)).toContain('"text":"it is ***"');
  expect(call?.text(10_000)).toContain('"password":"***"');
  expect(call?.text(20)).toHaveLength(20);
  expect(call?.size).toBeGreaterThan(20);
  for (const message of messages) expect(message.text(10_000)).not.toContain(SECRET);
});

test("so does one of a remote server of the modern era", async () => {
  const { config } = await serveEras();
  const messages: ObservedMessage[] = [];
  const connection = await connectToServer(
    "s",
    { ...config, protocol: "modern", headers: { "X-Key": SECRET } },
    { onMessage: (message) => messages.push(message) },
  );
  onTestFinished(() => connection.close());
  await connection.request("tools/list");
  const seen = messages.map(({ direction, method }) => [direction, method]);
  expect(seen).toContainEqual(["sent", "server/discover"]);
  expect(seen).toContainEqual(["sent", "tools/list"]);
  expect(seen.filter(([direction]) => direction === "received").length).toBeGreaterThan(1);
});

test("an error is told by its code", async () => {
  const messages: ObservedMessage[] = [];
  const connection = await connectToServer("s", fixtureServer(), { onMessage: (message) => messages.push(message) });
  onTestFinished(() => connection.close());
  await expect(connection.request("no/such")).rejects.toThrow("no/such");
  expect(messages.at(-1)).toMatchObject({ direction: "received", kind: "response", errorCode: -32601 });
});

test.each([
  ["a response", { id: 1, result: { action: "accept", content: { pin: "4711-secret", count: 4711 } } }],
  [
    "a request that brings the answers",
    {
      id: 1,
      method: "tools/call",
      params: {
        name: "buy",
        inputResponses: { one: { action: "accept", content: { pin: "4711-secret", list: ["4711"] } } },
      },
    },
  ],
])("what a person has answered in a form is in no log (%s)", (_name, message) => {
  const observed = observeMessage({ jsonrpc: "2.0", ...message }, "sent", (text) => text);
  const text = observed.text(10_000);
  expect(text).toContain('"action":"accept"');
  expect(text).toContain('"pin":"***"');
  expect(text).not.toContain("4711");
});
