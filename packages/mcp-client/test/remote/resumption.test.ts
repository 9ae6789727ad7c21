import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { type EventStore, StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, type JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { expect, onTestFinished, test } from "vitest";

import { type Clock, systemClock } from "../../src/connection/clock.ts";
import { callTool } from "../../src/index.ts";
import { serveLoopback } from "../support/loopback.ts";
import { answerJson, beginStream, eventOf, readRpc, resultOf, signal } from "../support/rpc-server.ts";
import { callForText, connect, failureOf } from "../support/scripted.ts";

/** Keeps the events of all streams; ids are counted up. */
class KeptEvents implements EventStore {
  readonly #events: { stream: string; message: JSONRPCMessage }[] = [];

  storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    return Promise.resolve(String(this.#events.push({ stream, message })));
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const stream = this.#events[Number(lastEventId) - 1]?.stream ?? "";
    for (const [index, event] of this.#events.entries()) {
      const isPriming = Object.keys(event.message).length === 0;
      if (index >= Number(lastEventId) && event.stream === stream && !isPriming) {
        await send(String(index + 1), event.message);
      }
    }
    return stream;
  }
}

test("the SDK's server drops an answer's stream in the middle: the rest is fetched, nothing is lost or doubled", async () => {
  // oxlint-disable-next-line typescript/no-deprecated -- the low-level server is what closes single streams
  const server = new Server({ name: "kept", version: "1" }, { capabilities: { tools: {} } });
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    eventStore: new KeptEvents(),
    retryInterval: 10,
  });
  server.setRequestHandler(CallToolRequestSchema, async (_, extra) => {
    const report = (progress: number) =>
      extra.sendNotification({
        method: "notifications/progress",
        params: { progressToken: extra._meta?.progressToken ?? "", progress },
      });
    await report(1);
    extra.closeSSEStream?.();
    await report(2);
    return { content: [{ type: "text", text: "whole" }] };
  });
  await server.connect(transport);
  const http = createServer((request, response) => void transport.handleRequest(request, response));
  await new Promise<void>((resolve) => {
    http.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(async () => {
    await server.close();
    http.closeAllConnections();
    http.close();
  });
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const connection = await connect({ type: "http", url });
  const progress: unknown[] = [];
  const result = await callTool(connection, "one", {}, { onProgress: (report) => progress.push(report.progress) });
  expect(result.content).toEqual([{ type: "text", text: "whole" }]);
  expect(progress).toEqual([1, 2]);
});

/** A server that numbers the first event of an answer and cuts the stream there. */
async function serveCut(resume: (lastEventId: string, attempt: number, response: ServerResponse) => void) {
  let attempts = 0;
  return serveLoopback((request, response) => {
    const message = readRpc(request);
    const lastEventId = request.headers["last-event-id"];
    if (request.method === "GET" && typeof lastEventId === "string") {
      attempts += 1;
      resume(lastEventId, attempts, response);
    } else if (request.method !== "POST") response.writeHead(405).end();
    else if (message.method !== "tools/call") answerJson(message, response);
    else {
      beginStream(response);
      response.write(
        `retry: 7777\n${eventOf({ method: "notifications/message", params: { id: message.id } }, "e-1")}`,
        () => response.destroy(),
      );
    }
  });
}

function watchedClock(): { clock: Clock; waits: number[] } {
  const waits: number[] = [];
  const setTimeout: Clock["setTimeout"] = (callback, milliseconds) => {
    waits.push(milliseconds);
    return systemClock.setTimeout(callback, milliseconds === 7777 ? 0 : milliseconds);
  };
  return { clock: { ...systemClock, setTimeout }, waits };
}

test("the rest is asked for after the time that retry says, and again while a gateway is down", async () => {
  const { url } = await serveCut((lastEventId, attempt, response) => {
    const message = { id: 1, method: "tools/call", params: { name: lastEventId } };
    if (attempt < 3) response.writeHead(503).end();
    else {
      beginStream(response);
      response.end(eventOf({ id: 1, result: resultOf(message) }));
    }
  });
  const { clock, waits } = watchedClock();
  const connection = await connect({ type: "http", url }, { clock });
  expect(await callForText(connection, "one")).toBe("called e-1");
  expect(waits.filter((wait) => wait === 7777)).toHaveLength(3);
});

test.each([404, 400, 405])("an answer whose rest is refused with %i fails its call alone", async (status) => {
  const { url } = await serveCut((_, __, response) => response.writeHead(status).end("no such event"));
  const connection = await connect({ type: "http", url }, { clock: watchedClock().clock });
  const error = await failureOf(callTool(connection, "one"));
  expect(error).toMatchObject({ code: "HTTP_STATUS", data: { status } });
  expect(error.message).toContain("could not be resumed");
  expect(connection.closeReason).toBeUndefined();
});

test("closing while a stream waits to be resumed leaves no timer behind", async () => {
  const timers = new Set<unknown>();
  const reached = signal();
  const clock: Clock = {
    ...systemClock,
    setTimeout: (callback, milliseconds) => {
      const timer = systemClock.setTimeout(callback, milliseconds);
      timers.add(timer);
      if (milliseconds === 7777) reached.resolve();
      return timer;
    },
    clearTimeout: (timer) => {
      timers.delete(timer);
      systemClock.clearTimeout(timer);
    },
  };
  const { url } = await serveCut(() => {});
  const connection = await connect({ type: "http", url }, { clock });
  const call = failureOf(callTool(connection, "one"));
  await reached.promise;
  await connection.close();
  expect(await call).toMatchObject({ code: "CLOSED" });
  expect([...timers]).toEqual([]);
});
