import { expect, test } from "vitest";

import { verifies } from "../../../tooling/test-support/verifies.mjs";
import type { Clock } from "../src/connection/clock.ts";
import { systemClock } from "../src/connection/clock.ts";
import { callTool, connectToServer } from "../src/index.ts";
import { answerMinimal, closedAddress, serveLoopback } from "./support/loopback.ts";
import { connect, failureOf } from "./support/scripted.ts";

test.each(["http", "sse"] as const)("an address (%s) that refuses is named with the reason", async (type) => {
  const url = await closedAddress();
  const error = await failureOf(connectToServer("down", { type, url }));
  expect(error).toMatchObject({ code: "CONNECT_FAILED", data: { code: "ECONNREFUSED" } });
  expect(error.message).toContain(new URL(url).host);
});

test.each(["http", "sse"] as const)("an HTTP error (%s) gives status and body", async (type) => {
  const { url } = await serveLoopback((_, response) => response.writeHead(503).end("maintenance until noon"));
  const error = await failureOf(connectToServer("busy", { type, url }));
  expect(error).toMatchObject({ code: "HTTP_STATUS", data: { status: 503, body: "maintenance until noon" } });
  expect(error.message).toContain("503");
});

test("a huge error page is cut to its end", async () => {
  const { url } = await serveLoopback((_, response) => response.writeHead(500).end(`${"x".repeat(50_000)}the end`));
  const error = await failureOf(connectToServer("huge", { type: "http", url }));
  expect(error.message.length).toBeLessThan(3000);
  expect(error.message).toContain("the end");
});

test.each([
  [401, {}, "AUTH_REQUIRED"],
  [401, { "www-authenticate": "Bearer" }, "AUTH_REQUIRED"],
  [403, { "www-authenticate": 'Bearer error="insufficient_scope"' }, "AUTH_REQUIRED"],
  [403, {}, "HTTP_STATUS"],
  [405, {}, "HTTP_STATUS"],
])("status %i with %j is %s", async (status, headers, code) => {
  const { url } = await serveLoopback((_, response) => response.writeHead(status, headers).end("no"));
  for (const type of ["http", "sse"] as const) {
    expect(await failureOf(connectToServer("closed", { type, url }))).toMatchObject({ code, data: { status } });
  }
});

test("a server that speaks later revisions only is told from a broken one", async () => {
  const { url } = await serveLoopback((_, response) => {
    const error = { code: -32022, message: "Unsupported protocol version", data: { supported: ["2026-07-28"] } };
    response
      .writeHead(400, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id: 0, error }));
  });
  const error = await failureOf(connectToServer("new", { type: "http", url }));
  expect(error).toMatchObject({ code: "PROTOCOL_UNSUPPORTED" });
  expect(error.message).toContain("2026-07-28");
});

test(verifies("L24", "a server that accepts and never answers is given up after its timeout"), async () => {
  const timers = new Map<number, () => void>();
  const clock: Clock = {
    ...systemClock,
    setTimeout: (callback, milliseconds) => {
      timers.set(milliseconds, callback);
      return systemClock.setTimeout(callback, milliseconds);
    },
  };
  // Its time is up once the request has arrived, however long the way there takes.
  const { url, seen } = await serveLoopback(() => timers.get(25_000)?.());
  const error = await failureOf(connectToServer("mute", { type: "http", url, timeout: 25_000 }, { clock }));
  expect(error).toMatchObject({ code: "CONNECT_TIMEOUT" });
  expect(error.message).toContain("25000 ms");
  expect(seen).toHaveLength(1);
});

test("a session is ended by DELETE, and a server that does not answer it does not hold the closing up", async () => {
  const { url, seen } = await serveLoopback((request, response) => {
    if (request.method !== "DELETE") answerMinimal(request, response);
  });
  const connection = await connect({ type: "http", url });
  await connection.close();
  expect(seen.at(-1)).toMatchObject({ method: "DELETE", headers: { "mcp-session-id": "session-1" } });
});

test("calls in flight end as soon as the connection is closed", async () => {
  const { url } = await serveLoopback((request, response) => {
    // Neither calls nor the end of the session are answered.
    if (request.method !== "DELETE" && !request.body.includes("tools/call")) answerMinimal(request, response);
  });
  const connection = await connect({ type: "http", url });
  const call = failureOf(callTool(connection, "one"));
  let closed = false;
  const close = connection.close().then(() => (closed = true));
  expect(await call).toMatchObject({ code: "CLOSED" });
  expect(closed).toBe(false);
  await close;
});
