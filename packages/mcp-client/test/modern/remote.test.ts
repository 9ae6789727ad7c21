import { expect, test } from "vitest";

import { callTool, connectToServer, listTools } from "../../src/index.ts";
import { serveEras } from "../support/eras.ts";
import { closedAddress, serveLoopback } from "../support/loopback.ts";
import { connect, failureOf } from "../support/scripted.ts";

test("an entry's headers go with each request, beside those of the revision", async () => {
  const { config, seen } = await serveEras({ legacy: "reject" });
  const connection = await connect({ ...config, headers: { "X-Team": "blue" } }, { era: "modern" });
  await callTool(connection, "echo", { text: "x" });
  expect(
    seen.map(({ headers }) => [headers["x-team"], headers["mcp-protocol-version"], headers["mcp-method"]]),
  ).toEqual([
    ["blue", "2026-07-28", "server/discover"],
    ["blue", "2026-07-28", "tools/call"],
  ]);
  expect(seen.at(-1)?.headers["mcp-name"]).toBe("echo");
});

test("arguments go in headers where the tool's schema says so", async () => {
  const { config, seen } = await serveEras({ legacy: "reject" });
  const connection = await connect(config, { era: "modern" });
  await listTools(connection);
  await callTool(connection, "place", { city: "Zürich", where: { floor: 3 } });
  expect(seen.at(-1)?.headers).toMatchObject({
    "mcp-param-city": `=?base64?${Buffer.from("Zürich").toString("base64")}?=`,
    "mcp-param-floor": "3",
  });
});

test("a server that wants a sign-in is told apart from one of another era", async () => {
  const { url, seen } = await serveLoopback((_, response) => {
    response.writeHead(401, { "www-authenticate": "Bearer" }).end("who are you");
  });
  const error = await failureOf(connectToServer("fixture", { type: "http", url }, { era: "modern" }));
  expect(error).toMatchObject({ code: "AUTH_REQUIRED", data: { status: 401, body: "who are you" } });
  expect(seen).toHaveLength(1);
});

test("an address without a server is told with what it answered to initialize", async () => {
  const { url } = await serveLoopback((_, response) => response.writeHead(404).end("<h1>Nothing here</h1>"));
  const error = await failureOf(connectToServer("fixture", { type: "http", url }, { era: "modern" }));
  expect(error).toMatchObject({ code: "HTTP_STATUS", data: { status: 404 } });
});

test("an address that refuses is named in the modern era as well", async () => {
  const url = await closedAddress();
  const config = { type: "http" as const, url, protocol: "modern" as const };
  const error = await failureOf(connectToServer("fixture", config));
  expect(error).toMatchObject({ code: "CONNECT_FAILED", data: { code: "ECONNREFUSED" } });
  expect(error.message).toContain("server/discover");
});

test("a subscription that breaks is opened again, and lists count as changed meanwhile", async () => {
  const served = await serveEras({ legacy: "reject" });
  const connection = await connect(served.config, { era: "modern" });
  const changes: unknown[] = [];
  let noticed = (): void => {};
  connection.onNotification("notifications/tools/list_changed", (params) => {
    changes.push(params);
    noticed();
  });
  await connection.request("resources/subscribe", { uri: "fixture:///a" });
  const resumed = new Promise<void>((resolve) => {
    noticed = resolve;
  });
  served.dropAnswers();
  await resumed;
  const changed = new Promise<void>((resolve) => {
    noticed = resolve;
  });
  await callTool(connection, "addTool", { name: "later" });
  await changed;
  expect(changes).toHaveLength(2);
});
