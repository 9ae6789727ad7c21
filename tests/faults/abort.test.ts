import { getEventListeners } from "node:events";

import { callTool, connectToServer } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { isRunning } from "../../packages/mcp-client/test/support/processes.ts";
import { callForText, connect, failureOf, scripted } from "../../packages/mcp-client/test/support/scripted.ts";
import { verifies } from "../../tooling/test-support/verifies.mjs";

test(
  verifies("L43", "an abort ends one call with an AbortError, and the server learns no more than that"),
  async () => {
    const connection = await connect(scripted());
    const controller = new AbortController();
    const call = callTool(connection, "hang", {}, { signal: controller.signal });
    const before = connection.pid;
    controller.abort(new Error("the user is at lunch"));
    const error = await failureOf(call);
    expect(error.name).toBe("AbortError");
    // The same process answers the next call, and has got the cancellation before it.
    const received = JSON.parse(await callForText(connection, "received")) as { method: string; params: object }[];
    const hung = received.findIndex(({ method }) => method === "tools/call");
    expect(received[hung + 1]).toEqual({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: {
        requestId: (received[hung] as unknown as { id: number }).id,
        reason: "The client cancelled the request.",
      },
    });
    expect(JSON.stringify(received)).not.toContain("lunch");
    expect(connection.pid).toBe(before);
    expect(connection.closeReason).toBeUndefined();
  },
);

test("a signal that served many calls carries no listener afterwards", async () => {
  const connection = await connect(scripted());
  const { signal } = new AbortController();
  for (let turn = 0; turn < 20; turn += 1) await callTool(connection, "echo", { text: "x" }, { signal });
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("an aborted signal sends nothing", async () => {
  const connection = await connect(scripted());
  const error = await failureOf(callTool(connection, "echo", { text: "x" }, { signal: AbortSignal.abort() }));
  expect(error.name).toBe("AbortError");
  expect(await callForText(connection, "received")).not.toContain(`"echo"`);
});

test(verifies("L63", "an abort in the handshake ends the process before it rejects"), async () => {
  const controller = new AbortController();
  let pid = 0;
  const error = await failureOf(
    connectToServer("slow", scripted({ silent: true }), {
      signal: controller.signal,
      compileCacheDirectory: false,
      onSpawn(started) {
        pid = started;
        controller.abort();
      },
    }),
  );
  expect(error.name).toBe("AbortError");
  expect(pid).toBeGreaterThan(0);
  expect(isRunning(pid)).toBe(false);
});
