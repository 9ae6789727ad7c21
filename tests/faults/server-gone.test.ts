import type { ServerResponse } from "node:http";

import { callTool } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { serveLoopback } from "../../packages/mcp-client/test/support/loopback.ts";
import {
  answerJson,
  beginStream,
  eventOf,
  readRpc,
  signal,
} from "../../packages/mcp-client/test/support/rpc-server.ts";
import { callForText, connect, failureOf } from "../../packages/mcp-client/test/support/scripted.ts";

/** A server whose calls are left to the test, with a stream beside the requests or without. */
async function serveCalls(withStream: boolean, onCall: (id: number, response: ServerResponse) => void) {
  const stream = signal<ServerResponse>();
  const server = await serveLoopback((request, response) => {
    const message = readRpc(request);
    if (request.method === "GET" && withStream) {
      beginStream(response);
      stream.resolve(response);
    } else if (request.method !== "POST") response.writeHead(405).end();
    else if (message.method === "tools/call") onCall(message.id as number, response);
    else answerJson(message, response);
  });
  return { ...server, stream: stream.promise };
}

test.each([
  ["before its answer has begun", false, () => {}],
  ["in the middle of its answer", false, beginJson],
  ["in the middle of its answer's stream", false, (_: number, response: ServerResponse) => beginStream(response)],
  ["in the middle of its answer's stream, which could be resumed", false, beginNumbered],
  ["before its answer has begun, with a stream open", true, () => {}],
  ["in the middle of its answer's stream, with a stream open", true, beginNumbered],
] as const)("a call whose server dies %s fails at once, and the connection with it", async (_, withStream, onCall) => {
  const arrived = signal();
  let calls = 0;
  const { url, crash, stream } = await serveCalls(withStream, (id, response) => {
    onCall(id, response);
    calls += 1;
    if (calls === 2) arrived.resolve();
  });
  const connection = await connect({ type: "http", url });
  if (withStream) await stream;
  const failures = [failureOf(callTool(connection, "one")), failureOf(callTool(connection, "two"))];
  await arrived.promise;
  await crash();
  const address = new URL(url).host;
  for (const failure of failures) {
    expect(await failure).toMatchObject({ code: "CONNECT_FAILED", data: { code: "ECONNREFUSED", address } });
  }
  const reason = await connection.closed;
  expect(reason).toMatchObject({ kind: "failed", network: { code: "ECONNREFUSED" } });
  expect(reason.message).toContain(address);
  expect(await failureOf(callTool(connection, "late"))).toMatchObject({ code: "CONNECT_FAILED" });
});

function beginJson(id: number, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.write(`{"jsonrpc":"2.0","id":${id},`);
}

function beginNumbered(_: number, response: ServerResponse): void {
  beginStream(response);
  response.write("id: 1\ndata:\n\n");
}

test("an idle connection whose server dies is noticed by the stream that stands open", async () => {
  const { url, crash, stream } = await serveCalls(true, () => {});
  const connection = await connect({ type: "http", url });
  await stream;
  await crash();
  expect(await connection.closed).toMatchObject({ kind: "failed", network: { code: "ECONNREFUSED" } });
});

test("a server without a stream is noticed to be gone by the next request", async () => {
  const { url, crash } = await serveCalls(false, () => {});
  const connection = await connect({ type: "http", url });
  await crash();
  expect(connection.closeReason).toBeUndefined();
  expect(await failureOf(callTool(connection, "one"))).toMatchObject({ data: { code: "ECONNREFUSED" } });
  expect(connection.closeReason).toMatchObject({ kind: "failed" });
});

test("a server without a stream is noticed to be gone by a ping where that is wanted", async () => {
  const pinged = signal();
  const server = await serveLoopback((request, response) => {
    const message = readRpc(request);
    if (request.method !== "POST") response.writeHead(405).end();
    else answerJson(message, response);
    if (message.method === "ping") pinged.resolve();
  });
  const connection = await connect({ type: "http", url: server.url }, { livenessIntervalMs: 20 });
  await pinged.promise;
  expect(connection.closeReason).toBeUndefined();
  await server.crash();
  expect(await connection.closed).toMatchObject({ kind: "failed" });
});

test("one broken answer of a living server fails that call alone, and says what broke", async () => {
  const { url } = await serveCalls(false, (id, response) => {
    if (id > 1) answerJson({ id, method: "tools/call", params: { name: "two" } }, response);
    else {
      beginStream(response);
      response.write(": begun\n\n", () => response.destroy());
    }
  });
  const connection = await connect({ type: "http", url });
  const error = await failureOf(callTool(connection, "one"));
  expect(error).toMatchObject({ code: "CONNECT_FAILED", data: { address: new URL(url).host } });
  expect(await callForText(connection, "two")).toBe("called two");
  expect(connection.closeReason).toBeUndefined();
});

test("an answer's stream that ends without the answer fails that call alone", async () => {
  const { url } = await serveCalls(false, (id, response) => {
    beginStream(response);
    response.end(eventOf({ method: "notifications/message", params: { level: "info", data: id } }));
  });
  const connection = await connect({ type: "http", url });
  const error = await failureOf(callTool(connection, "one"));
  expect(error).toMatchObject({ code: "CONNECT_FAILED", data: { code: "STREAM_ENDED" } });
  expect(connection.closeReason).toBeUndefined();
});

test("a stream that breaks is opened again as often as the server lives", async () => {
  const streams: ServerResponse[] = [];
  const third = signal();
  const onGet = (response: ServerResponse) => {
    streams.push(response);
    // A gateway that is down for a moment is no reason to give the stream up.
    if (streams.length === 2) response.writeHead(502).end();
    else beginStream(response);
    if (streams.length === 1) response.write(": hello\n\n", () => response.destroy());
    if (streams.length === 3) third.resolve();
  };
  const { url } = await serveLoopback((request, response) => {
    if (request.method === "POST") answerJson(readRpc(request), response);
    else if (request.method === "GET") onGet(response);
    else response.writeHead(405).end();
  });
  const connection = await connect({ type: "http", url });
  await third.promise;
  expect(connection.closeReason).toBeUndefined();
});
