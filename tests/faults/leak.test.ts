import { callTool, listTools } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { type Clock, systemClock } from "../../packages/mcp-client/src/connection/clock.ts";
import { type LoopbackServer, serveLoopback } from "../../packages/mcp-client/test/support/loopback.ts";
import { answerJson, beginStream, readRpc, signal } from "../../packages/mcp-client/test/support/rpc-server.ts";
import { connect } from "../../packages/mcp-client/test/support/scripted.ts";
import { serveSse } from "../../packages/mcp-client/test/support/sse-server.ts";

/** A clock that knows which of its timers have neither fired nor been cleared. */
function countingClock(): { clock: Clock; open: Set<object> } {
  const open = new Set<object>();
  const clock: Clock = {
    ...systemClock,
    setTimeout: (callback, milliseconds) => {
      const entry = { timer: undefined as unknown };
      entry.timer = systemClock.setTimeout(() => {
        open.delete(entry);
        callback();
      }, milliseconds);
      open.add(entry);
      return entry;
    },
    clearTimeout: (handle) => {
      if (handle === undefined) return;
      open.delete(handle as object);
      systemClock.clearTimeout((handle as { timer: unknown }).timer);
    },
  };
  return { clock, open };
}

async function serveStreaming(): Promise<LoopbackServer> {
  return serveLoopback((request, response) => {
    if (request.method === "GET") beginStream(response);
    else if (request.method === "POST") answerJson(readRpc(request), response, { "mcp-session-id": "one" });
    else response.writeHead(405).end();
  });
}

const listenersOf = () => process.eventNames().map((event) => `${String(event)}: ${process.listenerCount(event)}`);
const handlesOf = () => process.getActiveResourcesInfo().filter((kind) => !/^(?:TCP|Tick|Immediate)/.test(kind)).length;

test("100 reconnects over HTTP leave no timer, listener or descriptor behind", async () => {
  const { url } = await serveStreaming();
  const { clock, open } = countingClock();
  const cycle = async () => {
    const connection = await connect({ type: "http", url }, { clock, livenessIntervalMs: 60_000 });
    await listTools(connection);
    await callTool(connection, "one");
    await connection.close();
    await connection.close();
  };
  for (let warm = 0; warm < 5; warm += 1) await cycle();
  const before = { listeners: listenersOf(), handles: handlesOf() };
  for (let count = 0; count < 100; count += 1) await cycle();
  expect(open.size).toBe(0);
  expect(listenersOf()).toEqual(before.listeners);
  expect(handlesOf()).toBeLessThanOrEqual(before.handles);
});

test("closing ends every connection that was open, also with calls and streams under way", async () => {
  const arrived = signal();
  const closed = signal();
  let standing = 0;
  const { url } = await serveLoopback((request, response) => {
    const message = readRpc(request);
    if (request.method === "GET") standing += 1;
    if (request.method === "GET" || message.method === "tools/call") {
      beginStream(response);
      response.on("close", () => {
        standing -= 1;
        if (standing === 0) closed.resolve();
      });
      if (message.method === "tools/call") {
        standing += 1;
        arrived.resolve();
      }
    } else if (request.method === "POST") answerJson(message, response, { "mcp-session-id": "one" });
    else response.writeHead(404).end();
  });
  const connection = await connect({ type: "http", url });
  const call = callTool(connection, "hangs").catch((error: unknown) => error);
  await arrived.promise;
  await connection.close();
  expect(await call).toMatchObject({ code: "CLOSED" });
  await closed.promise;
});

test("the stream of a call that was cancelled is let go", async () => {
  const arrived = signal();
  const released = signal();
  const cancelled = signal();
  const { url } = await serveLoopback((request, response) => {
    const message = readRpc(request);
    if (request.method !== "POST") response.writeHead(405).end();
    else if (message.method !== "tools/call") answerJson(message, response);
    else {
      beginStream(response);
      response.on("close", () => released.resolve());
      arrived.resolve();
    }
    if (message.method === "notifications/cancelled") cancelled.resolve();
  });
  const connection = await connect({ type: "http", url });
  const controller = new AbortController();
  const call = callTool(connection, "hangs", {}, { signal: controller.signal }).catch((error: unknown) => error);
  await arrived.promise;
  controller.abort();
  expect(await call).toMatchObject({ name: "AbortError" });
  await Promise.all([cancelled.promise, released.promise]);
  expect((await listTools(connection)).tools).toHaveLength(1);
  expect(connection.closeReason).toBeUndefined();
});

test("closing an SSE connection ends its stream", async () => {
  const { url, stream } = await serveSse();
  const connection = await connect({ type: "sse", url });
  const ended = signal();
  (await stream).on("close", () => ended.resolve());
  await callTool(connection, "one");
  await connection.close();
  await ended.promise;
});
