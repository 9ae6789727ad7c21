import { callTool } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { callForText, connect, failureOf, scripted } from "../../packages/mcp-client/test/support/scripted.ts";

test("a call to a server that does not read ends in time, and the next one works once it reads again", async () => {
  const connection = await connect(scripted({ ignoreEnd: true, resumeOnSignal: "SIGUSR2" }));
  await callForText(connection, "stopReading");
  const text = "x".repeat(4_000_000);
  const error = await failureOf(callTool(connection, "echo", { text }, { timeout: 100 }));
  expect(error).toMatchObject({ code: "CALL_TIMEOUT", server: "fixture", stage: "call", transport: "stdio" });
  process.kill(connection.pid ?? 0, "SIGUSR2");
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
