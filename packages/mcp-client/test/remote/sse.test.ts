import type { ServerResponse } from "node:http";

import { expect, test } from "vitest";

import { callTool, connectToServer } from "../../src/index.ts";
import { answerMinimal, serveLoopback } from "../support/loopback.ts";
import { signal } from "../support/rpc-server.ts";
import { callForText, connect, failureOf } from "../support/scripted.ts";
import { serveSse } from "../support/sse-server.ts";

test("a server of revision 2024-11-05 is spoken to", async () => {
  const { url } = await serveSse();
  const connection = await connect({ type: "sse", url });
  expect(connection.transport).toBe("sse");
  expect(await callForText(connection, "one")).toBe("called one");
});

test("an endpoint at another origin is refused, and nothing is sent there", async () => {
  const other = await serveLoopback(answerMinimal);
  const { url } = await serveSse({ endpoint: other.url });
  const error = await failureOf(connectToServer("elsewhere", { type: "sse", url, headers: { "X-Key": "a-secret" } }));
  expect(error).toMatchObject({ code: "HANDSHAKE_FAILED" });
  expect(error.message).toContain(new URL(other.url).origin);
  expect(other.seen).toEqual([]);
});

test.each(["dies", "ends its stream"])(
  "calls whose server %s fail at once, and the connection with them",
  async (how) => {
    const arrived = signal();
    let calls = 0;
    const { url, crash, stream } = await serveSse({
      onCall: () => {
        calls += 1;
        if (calls === 2) arrived.resolve();
      },
    });
    const connection = await connect({ type: "sse", url });
    const failures = [failureOf(callTool(connection, "one")), failureOf(callTool(connection, "two"))];
    await arrived.promise;
    if (how === "dies") await crash();
    else (await stream).end();
    for (const failure of failures) expect(await failure).toMatchObject({ code: "CONNECT_FAILED" });
    expect(await connection.closed).toMatchObject({ kind: "failed" });
  },
);

test("a stream that ends during the handshake fails the connecting", async () => {
  let stream: ServerResponse | undefined;
  const { url } = await serveLoopback((request, response) => {
    if (request.method === "POST") response.writeHead(202).end(() => stream?.end());
    else {
      stream = response.writeHead(200, { "content-type": "text/event-stream" });
      stream.write("event: endpoint\ndata: /messages\n\n");
    }
  });
  const error = await failureOf(connectToServer("brief", { type: "sse", url }));
  expect(error).toMatchObject({ code: "CONNECT_FAILED", data: { code: "STREAM_ENDED" } });
});

test("a large answer comes", async () => {
  const text = "x".repeat(12 * 1_048_576);
  const { url } = await serveSse({
    onCall: ({ id }, stream) => {
      const result = { content: [{ type: "text", text }] };
      stream?.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
    },
  });
  const connection = await connect({ type: "sse", url });
  expect(await callForText(connection, "large")).toHaveLength(text.length);
});
