import { callTool } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { callForText, connect, failureOf, scripted } from "../../packages/mcp-client/test/support/scripted.ts";
import { serveHttp } from "../support/http-faults.ts";

test("an answer of 12 MB arrives, over a pipe and over HTTP", async () => {
  const connection = await connect(scripted());
  expect(await callForText(connection, "big", { size: 12_000_000 })).toHaveLength(12_000_000);
  const { url } = await serveHttp({ answerSize: 12_000_000 });
  expect(await callForText(await connect({ type: "http", url }), "echo")).toHaveLength(12_000_000);
});

test("an answer beyond the limit fails its own call only", async () => {
  const connection = await connect(scripted());
  const error = await failureOf(callTool(connection, "big", { size: 70_000_000 }));
  expect(error).toMatchObject({ code: "TOO_LARGE", server: "fixture", stage: "call" });
  await expect(callForText(connection, "echo", { text: "still here" })).resolves.toBe("still here");
});

test("a request that is too long is not sent", async () => {
  const connection = await connect(scripted());
  const error = await failureOf(callTool(connection, "echo", { text: "x".repeat(68_000_000) }));
  expect(error).toMatchObject({ code: "TOO_LARGE" });
  await expect(callForText(connection, "echo", { text: "y" })).resolves.toBe("y");
});

test("characters that are cut by the borders of chunks stay whole", async () => {
  const connection = await connect(scripted());
  const text = "größe 工具 👩‍👩‍👧 \u0000 \u2028";
  expect(await callForText(connection, "inBytes", { text })).toBe(text);
});
