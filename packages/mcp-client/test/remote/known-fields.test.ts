import { expect, test } from "vitest";

import { serveLoopback } from "../support/loopback.ts";
import { answerJson, beginStream, readRpc, resultOf } from "../support/rpc-server.ts";
import { callForText, connect } from "../support/scripted.ts";

test.each([
  ["application/json", "one"],
  ["text/event-stream", "one"],
  ["application/json", "a batch"],
  ["text/event-stream", "a batch"],
])("an answer (%s, %s) with fields beyond the protocol's reaches its caller", async (type, form) => {
  const { url } = await serveLoopback((request, response) => {
    const message = readRpc(request);
    if (request.method !== "POST") response.writeHead(405).end();
    else if (message.id === undefined) answerJson(message, response);
    else {
      const answer = { jsonrpc: "2.0", id: message.id, result: resultOf(message), error: null, took: 3 };
      const log = { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "x" } };
      const text = JSON.stringify(form === "one" ? answer : [log, answer]);
      if (type === "text/event-stream") {
        beginStream(response);
        response.end(`event: message\nid: 7\ndata: ${text}\n\n`);
      } else response.writeHead(200, { "content-type": type }).end(text);
    }
  });
  const connection = await connect({ type: "http", url });
  expect(await callForText(connection, "one")).toBe("called one");
});
