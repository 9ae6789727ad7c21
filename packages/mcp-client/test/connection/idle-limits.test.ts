import { setImmediate } from "node:timers/promises";

import { expect, onTestFinished, test } from "vitest";

import { fixtureServer } from "../../../../tooling/fixture-servers/index.mjs";
import { connectToServer } from "../../src/connect-to-server.ts";
import type { ConnectOptions } from "../../src/connection/connect-options.ts";
import type { MCPServerConnection } from "../../src/connection/connection.ts";
import { callTool } from "../../src/requests/call-tool.ts";

async function connect(options: ConnectOptions = {}): Promise<MCPServerConnection> {
  const connection = await connectToServer("one", fixtureServer({ asks: true }), options);
  onTestFinished(() => connection.close());
  return connection;
}

const form = { message: "Which?", requestedSchema: { type: "object", properties: {} } };

test("a call is not given up while the host owes its server an answer, and is as silent as ever afterwards", async () => {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const asking = await connect({
    elicitation: {
      form: async () => {
        begin();
        await released;
        return { action: "decline" };
      },
    },
  });
  const other = await connect();
  const ended: string[] = [];
  const asked = callTool(asking, "ask", form, { timeout: 1500 }).finally(() => ended.push("ask"));
  await begun;
  const silent = callTool(asking, "hang", {}, { timeout: 1500 }).finally(() => ended.push("hang"));
  // Longer than the limits of the calls that wait.
  await expect(callTool(other, "hang", {}, { timeout: 2500 })).rejects.toMatchObject({ code: "CALL_TIMEOUT" });
  await setImmediate();
  expect(ended).toEqual([]);
  release();
  expect(await asked).toMatchObject({ content: [{ text: '{"action":"decline"}' }] });
  await expect(silent).rejects.toMatchObject({ code: "CALL_TIMEOUT", message: expect.stringContaining("1500 ms") });
});

test("the limit in all counts for a host that answers servers, too", async () => {
  const asking = await connect({ elicitation: { form: () => new Promise(() => {}) } });
  const call = callTool(asking, "ask", form, { timeout: 1500, maxTotalTimeout: 2000 });
  await expect(call).rejects.toMatchObject({ code: "CALL_TIMEOUT", message: expect.stringContaining("2000 ms") });
});

test("a call with progress goes on, and one that is cancelled is", async () => {
  const asking = await connect({ elicitation: { form: () => ({ action: "decline" }) } });
  const steps: unknown[] = [];
  const result = await callTool(
    asking,
    "progress",
    { steps: 3 },
    { onProgress: ({ progress }) => steps.push(progress) },
  );
  expect([result.isError ?? false, steps]).toEqual([false, [1, 2, 3]]);
  const controller = new AbortController();
  const call = callTool(asking, "hang", {}, { signal: controller.signal });
  controller.abort();
  await expect(call).rejects.toMatchObject({ name: "AbortError" });
  await expect(callTool(asking, "hang", {}, { signal: controller.signal })).rejects.toMatchObject({
    name: "AbortError",
  });
});
