import { connectToServer } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { serveLoopback } from "../../packages/mcp-client/test/support/loopback.ts";
import { beginStream } from "../../packages/mcp-client/test/support/rpc-server.ts";
import { callForText, connect, failureOf } from "../../packages/mcp-client/test/support/scripted.ts";
import { serveSse } from "../../packages/mcp-client/test/support/sse-server.ts";

test.each([404, 405])("an http entry whose server refuses initialize with %i is spoken to over SSE", async (status) => {
  const { url } = await serveSse({ refusal: { status, body: "no POST here" } });
  const connection = await connect({ type: "http", url });
  expect(connection.transport).toBe("sse");
  expect(await callForText(connection, "one")).toBe("called one");
  await connection.close();
});

test.each([400, 401, 403, 500, 503])("after status %i no other transport is tried", async (status) => {
  const { url, seen } = await serveSse({ refusal: { status, body: "the reason" } });
  const error = await failureOf(connectToServer("failing", { type: "http", url }));
  expect(error).toMatchObject({ data: { status, body: "the reason" } });
  expect(seen.map(({ method }) => method)).toEqual(["POST"]);
});

test.each([404, 405])("when SSE fails after status %i too, the error shows both", async (status) => {
  const { url } = await serveLoopback((request, response) => {
    if (request.method === "POST") response.writeHead(status).end("first reason");
    else response.writeHead(503).end("second reason");
  });
  const error = await failureOf(connectToServer("failing", { type: "http", url }));
  expect(error).toMatchObject({ code: "HTTP_STATUS", data: { status, body: "first reason" } });
  expect(error.message).toMatch(new RegExp(`${status}.*first reason.*older SSE transport.*503.*second reason`, "s"));
});

test("when the stream that is tried ends without an endpoint, the first answer is still shown", async () => {
  const { url } = await serveLoopback((request, response) => {
    if (request.method === "POST") response.writeHead(404).end("no such path");
    else {
      beginStream(response);
      response.end();
    }
  });
  const error = await failureOf(connectToServer("failing", { type: "http", url }));
  expect(error).toMatchObject({ code: "HTTP_STATUS", data: { status: 404, body: "no such path" } });
  expect(error.message).toContain("older SSE transport");
});

test("when time is up while the stream names no endpoint, the first answer is still shown", async () => {
  const { url } = await serveLoopback((request, response) => {
    if (request.method === "POST") response.writeHead(404).end("no such path");
    else beginStream(response);
  });
  const error = await failureOf(connectToServer("failing", { type: "http", url, startupTimeout: 1500 }));
  expect(error).toMatchObject({ code: "CONNECT_TIMEOUT" });
  expect(error.message).toMatch(/404.*no such path/s);
});

test("a JSON-RPC error over the older transport is an answer, not a failure of the transport", async () => {
  const { url, stream } = await serveSse();
  void stream.then((response) =>
    response.write('data: {"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":"full"}}\n\n'),
  );
  const error = await failureOf(connectToServer("full", { type: "http", url }));
  expect(error).toMatchObject({ code: "HANDSHAKE_FAILED", data: { code: -32000 } });
});
