import { callTool, connectToServer, listTools } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { callForText, connect, failureOf, scripted } from "../../packages/mcp-client/test/support/scripted.ts";
import { serveHttp } from "../support/http-faults.ts";

const transports = ["http", "sse"] as const;

test.each(transports)("a good server over %s is used as one", async (transport) => {
  const { url } = await serveHttp({ transport });
  const connection = await connect({ type: transport, url });
  expect((await listTools(connection)).tools).toHaveLength(1);
  expect(await callForText(connection, "echo", { text: "größe" })).toBe("größe");
});

test("answers in an event stream are read like others", async () => {
  const { url } = await serveHttp({ streamAnswers: true });
  const connection = await connect({ type: "http", url });
  expect(await callForText(connection, "echo", { text: "工具" })).toBe("工具");
});

test.each(transports)(
  "an error in answer to a call over %s gives status and body, and the next call works",
  async (transport) => {
    const refuse = { "tools/call": { status: 502, body: "upstream is gone" } };
    const { url } = await serveHttp({ transport, refuse });
    const connection = await connect({ type: transport, url });
    const error = await failureOf(callTool(connection, "echo"));
    expect(error).toMatchObject({
      code: "HTTP_STATUS",
      server: "fixture",
      stage: "call",
      transport,
      data: { status: 502, body: "upstream is gone" },
    });
    for (const part of ['"fixture"', "tools/call", "502", "upstream is gone", url])
      expect(error.message).toContain(part);
    expect((await listTools(connection)).tools).toHaveLength(1);
  },
);

test.each([
  [401, {}, "AUTH_REQUIRED"],
  [403, { "www-authenticate": 'Bearer error="insufficient_scope"' }, "AUTH_REQUIRED"],
  [403, {}, "HTTP_STATUS"],
  [400, { "www-authenticate": "Bearer" }, "HTTP_STATUS"],
  [500, { "www-authenticate": "Bearer" }, "HTTP_STATUS"],
])("only a challenge asks for a sign-in: status %i with %j is %s", async (status, headers, code) => {
  const { url } = await serveHttp({ refuseAll: { status, headers, body: "Unauthorized: bad token" } });
  const error = await failureOf(connectToServer("closed", { type: "http", url }));
  expect(error).toMatchObject({ code, server: "closed", stage: "initialize", transport: "http" });
});

test("an answer that only speaks of a sign-in is no challenge", async () => {
  const connection = await connect(scripted());
  for (const code of [401, 403]) {
    const error = await failureOf(callTool(connection, "error", { code, message: "401 Unauthorized: sign in" }));
    expect(error).toMatchObject({ code: "SERVER_ERROR", data: { code } });
  }
  const { url } = await serveHttp({ refuse: { "tools/call": { status: 500, body: '{"error":"401 Unauthorized"}' } } });
  const remote = await connect({ type: "http", url });
  expect(await failureOf(callTool(remote, "echo"))).toMatchObject({ code: "HTTP_STATUS", data: { status: 500 } });
});

test("a page that a proxy puts in place of the answer is no answer", async () => {
  const { url } = await serveHttp({ contentType: "text/html" });
  const error = await failureOf(connectToServer("proxied", { type: "http", url }));
  expect(error).toMatchObject({ server: "proxied", stage: "initialize", transport: "http" });
  expect(error.message).toContain("text/html");
});

test("a connection that is cut in answer to a call ends the call", async () => {
  const { url } = await serveHttp({ dropAt: ["tools/call"] });
  const connection = await connect({ type: "http", url });
  const error = await failureOf(callTool(connection, "echo"));
  expect(error).toMatchObject({ code: "CONNECT_FAILED", server: "fixture", stage: "call", transport: "http" });
  expect((await listTools(connection)).tools).toHaveLength(1);
});

test("an answer that is cut in the middle ends the call", async () => {
  const { url } = await serveHttp({ cutAnswerAt: ["tools/call"] });
  const connection = await connect({ type: "http", url });
  const error = await failureOf(callTool(connection, "echo"));
  expect(error).toMatchObject({ server: "fixture", stage: "call", transport: "http" });
});

test("a server that dies in the middle of a call ends it, and later calls say that it cannot be reached", async () => {
  const { url } = await serveHttp({ dieAt: ["tools/call"] });
  const connection = await connect({ type: "http", url });
  expect(await failureOf(callTool(connection, "echo"))).toMatchObject({ server: "fixture", stage: "call" });
  const later = await failureOf(callTool(connection, "echo"));
  expect(later).toMatchObject({ server: "fixture", stage: "call", transport: "http" });
});

test("a call that a server never answers ends in time, and the next one works", async () => {
  const { url } = await serveHttp({ neverAnswerAt: ["tools/call"] });
  const connection = await connect({ type: "http", url });
  const error = await failureOf(callTool(connection, "echo", {}, { timeout: 50 }));
  expect(error).toMatchObject({ code: "CALL_TIMEOUT", server: "fixture", stage: "call", transport: "http" });
  expect((await listTools(connection)).tools).toHaveLength(1);
});
