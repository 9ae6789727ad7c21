import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";

import { callTool, type MCPServerConnection } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { type SeenRequest, serveLoopback } from "../../packages/mcp-client/test/support/loopback.ts";
import { answerJson, beginStream, readRpc, signal } from "../../packages/mcp-client/test/support/rpc-server.ts";
import { callForText, connect, failureOf } from "../../packages/mcp-client/test/support/scripted.ts";

type Refuse = (response: ServerResponse) => void;
const notFound: Refuse = (response) => response.writeHead(404).end("Session not found");

/** A server whose sessions can be forgotten, as by a restart; POST-only unless it is given streams. */
async function serveSessions(refuse: Refuse = notFound, onGet?: (response: ServerResponse) => void) {
  const sessions = new Set<string>();
  const sessionOf = ({ headers }: SeenRequest) => String(headers["mcp-session-id"]);
  const server = await serveLoopback((request, response) => {
    const message = readRpc(request);
    if (request.method === "GET" && onGet !== undefined) onGet(response);
    else if (request.method !== "POST") response.writeHead(405).end();
    else if (message.method === "initialize") {
      const session = randomUUID();
      sessions.add(session);
      answerJson(message, response, { "mcp-session-id": session });
    } else if (sessions.has(sessionOf(request))) answerJson(message, response);
    else refuse(response);
  });
  const posted = (method: string) => server.seen.filter((request) => readRpc(request).method === method);
  return { ...server, sessions, posted };
}

const text = (connection: MCPServerConnection, tool: string) => callForText(connection, tool);

test("after a restart of the server the next call makes one new session and is carried out", async () => {
  const { url, sessions, posted } = await serveSessions();
  const connection = await connect({ type: "http", url });
  sessions.clear();
  expect(await text(connection, "one")).toBe("called one");
  expect(await text(connection, "two")).toBe("called two");
  expect(posted("initialize")).toHaveLength(2);
  expect(posted("notifications/initialized")).toHaveLength(2);
  expect(posted("tools/call")).toHaveLength(3);
  const [renewed] = sessions;
  expect(posted("tools/call").at(-1)?.headers["mcp-session-id"]).toBe(renewed);
  expect(connection.closeReason).toBeUndefined();
});

test("calls that meet the expiry at once share one new session", async () => {
  const waiting: (() => void)[] = [];
  const { url, sessions, posted } = await serveSessions((response) => {
    // All are refused only when the last one has arrived.
    waiting.push(() => notFound(response));
    if (waiting.length === 20) for (const refuse of waiting) refuse();
  });
  const connection = await connect({ type: "http", url });
  sessions.clear();
  const calls = Array.from({ length: 20 }, (_, index) => text(connection, `tool-${index}`));
  expect(await Promise.all(calls)).toEqual(calls.map((_, index) => `called tool-${index}`));
  expect(posted("initialize")).toHaveLength(2);
});

test.each([
  "Bad Request: No valid session ID provided",
  '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: Mcp-Session-Id header is required"},"id":null}',
  '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: Server not initialized"},"id":null}',
  '{"error":"Invalid session ID"}',
  "Session 4711 does not exist or has expired",
  "No transport found for sessionId",
  "Bad Request: Missing Mcp-Session-Id header",
])("400 with %j is an expiry", async (body) => {
  const { url, sessions } = await serveSessions((response) => response.writeHead(400).end(body));
  const connection = await connect({ type: "http", url });
  sessions.clear();
  expect(await text(connection, "one")).toBe("called one");
});

test.each([
  '{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid params: session is required"},"id":1}',
  "the argument is missing",
  "no browser is open; start one before the session is recorded",
  "the session is being recorded. The argument is missing",
  "",
])("400 with %j is an answer", async (body) => {
  const { url, sessions, posted } = await serveSessions((response) => response.writeHead(400).end(body));
  const connection = await connect({ type: "http", url });
  sessions.clear();
  expect(await failureOf(callTool(connection, "one"))).toMatchObject({
    code: "HTTP_STATUS",
    data: { status: 400, body },
  });
  expect(posted("initialize")).toHaveLength(1);
});

test("a session that is refused again at once is an error that says so", async () => {
  const { url, posted } = await serveForgetting();
  const connection = await connect({ type: "http", url });
  const error = await failureOf(callTool(connection, "one"));
  expect(error).toMatchObject({ code: "HTTP_STATUS", data: { status: 404 } });
  expect(error.message).toContain("refused again right after a new one had been made");
  expect(posted("tools/call")).toHaveLength(2);
  expect(posted("initialize")).toHaveLength(2);
});

async function serveForgetting() {
  const server = await serveLoopback((request, response) => {
    const message = readRpc(request);
    if (message.method === "tools/call") notFound(response);
    else if (request.method !== "POST") response.writeHead(405).end();
    else answerJson(message, response, { "mcp-session-id": randomUUID() });
  });
  return { ...server, posted: (method: string) => server.seen.filter((one) => readRpc(one).method === method) };
}

test("a server that makes no new session is an error that says so", async () => {
  let initialized = 0;
  const { url } = await serveLoopback((request, response) => {
    const message = readRpc(request);
    if (message.method === "initialize") initialized += 1;
    if (message.method === "tools/call") notFound(response);
    else if (request.method !== "POST") response.writeHead(405).end();
    else if (initialized === 2) response.writeHead(503).end("starting");
    else answerJson(message, response, { "mcp-session-id": "one" });
  });
  const connection = await connect({ type: "http", url });
  const error = await failureOf(callTool(connection, "one"));
  expect(error).toMatchObject({ code: "HTTP_STATUS", data: { status: 503, body: "starting" } });
  expect(error.message).toContain("no new one could be made");
});

test("404 to a request without a session is an answer", async () => {
  const { url, seen } = await serveLoopback((request, response) => {
    const message = readRpc(request);
    if (request.method !== "POST" || message.method === "tools/call") response.writeHead(404).end();
    else answerJson(message, response);
  });
  const connection = await connect({ type: "http", url });
  expect(await failureOf(callTool(connection, "one"))).toMatchObject({ code: "HTTP_STATUS", data: { status: 404 } });
  expect(seen.filter((one) => readRpc(one).method === "initialize")).toHaveLength(1);
});

test("the stream beside the requests is opened anew in the new session, and listeners stay", async () => {
  const streams: ServerResponse[] = [];
  const opened = [signal(), signal()];
  const { url, sessions, seen } = await serveSessions(notFound, (response) => {
    beginStream(response);
    streams.push(response);
    opened[streams.length - 1]?.resolve();
  });
  const connection = await connect({ type: "http", url });
  const notified = signal<Record<string, unknown>>();
  connection.onNotification("notifications/message", notified.resolve);
  await opened[0]?.promise;
  sessions.clear();
  await text(connection, "one");
  await opened[1]?.promise;
  const params = { level: "info", data: "from the new session" };
  streams[1]?.write(`data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params })}\n\n`);
  expect(await notified.promise).toMatchObject({ data: "from the new session" });
  const gets = seen.filter(({ method }) => method === "GET");
  expect(gets.at(-1)?.headers["mcp-session-id"]).toBe([...sessions][0]);
});
