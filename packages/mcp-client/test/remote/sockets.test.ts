import { expect, onTestFinished, test } from "vitest";

import { callTool } from "../../src/index.ts";
import { serveLoopback } from "../support/loopback.ts";
import { answerJson, beginStream, eventOf, readRpc, resultOf, signal } from "../support/rpc-server.ts";
import { callForText, connect, failureOf } from "../support/scripted.ts";

const GLOBAL_DISPATCHER = Symbol.for("undici.globalDispatcher.1");

test.each(["application/json", "text/event-stream"])("calls in sequence (%s) share one connection", async (type) => {
  const { url, connections } = await serveLoopback((request, response) => {
    const message = readRpc(request);
    if (request.method !== "POST") response.writeHead(405).end();
    else if (type === "application/json" || message.id === undefined) answerJson(message, response);
    else {
      beginStream(response);
      response.end(eventOf({ id: message.id, result: resultOf(message) }));
    }
  });
  const connection = await connect({ type: "http", url });
  const before = connections();
  for (let call = 0; call < 20; call += 1) await callTool(connection, "one");
  // The first of the calls may come while another request is under way.
  expect(connections() - before).toBeLessThanOrEqual(1);
});

test("an answer that begins later than Node.js's fetch would wait is waited for", async () => {
  await fetch("data:,");
  const scope = globalThis as { [GLOBAL_DISPATCHER]?: { constructor: new (options: object) => never } };
  const dispatcher = scope[GLOBAL_DISPATCHER];
  if (dispatcher === undefined) throw new Error("Node.js keeps no dispatcher of its own");
  const impatient = new dispatcher.constructor({ headersTimeout: 1, bodyTimeout: 1 });
  scope[GLOBAL_DISPATCHER] = impatient;
  onTestFinished(() => {
    scope[GLOBAL_DISPATCHER] = dispatcher;
  });
  const given = signal();
  const { url } = await serveLoopback((request, response) => {
    const message = readRpc(request);
    if (request.method === "PUT") return;
    if (request.method !== "POST") response.writeHead(405).end();
    else if (message.method === "tools/call") void given.promise.then(() => answerJson(message, response));
    else answerJson(message, response);
  });
  const connection = await connect({ type: "http", url });
  const call = callForText(connection, "slow");
  // A plain fetch, begun later, has reached its limit before the answer comes.
  const plain = await failureOf(fetch(url, { method: "PUT" }));
  expect(plain.cause).toMatchObject({ code: "UND_ERR_HEADERS_TIMEOUT" });
  given.resolve();
  expect(await call).toBe("called slow");
});
