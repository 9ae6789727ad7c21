import type { ServerResponse } from "node:http";

import { callTool } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { serveLoopback } from "../../packages/mcp-client/test/support/loopback.ts";
import { answerJson, beginStream, readRpc } from "../../packages/mcp-client/test/support/rpc-server.ts";
import { callForText, connect, failureOf } from "../../packages/mcp-client/test/support/scripted.ts";

const MEBIBYTE = 1_048_576;
const PART = Buffer.alloc(MEBIBYTE, "x");

/** Writes an answer whose text has as many mebibytes as the tool's name says, without ever holding it. */
async function writeLarge(type: string, id: number, size: number, response: ServerResponse): Promise<void> {
  const isStream = type === "text/event-stream";
  if (isStream) beginStream(response);
  else response.writeHead(200, { "content-type": type });
  response.write(`${isStream ? "data: " : ""}{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`);
  for (let part = 0; part < size && !response.destroyed; part += 1) {
    await new Promise((resolve) => {
      response.once("close", resolve);
      response.write(PART, () => {
        response.off("close", resolve);
        resolve(undefined);
      });
    });
  }
  response.end(`"}]}}${isStream ? "\n\n" : ""}`);
}

test.each(["application/json", "text/event-stream"])(
  "large answers (%s): 20 MiB come, 65 MiB fail their call alone",
  async (type) => {
    const { url } = await serveLoopback((request, response) => {
      const message = readRpc(request);
      const size = Number(message.params?.["name"]);
      if (request.method !== "POST") response.writeHead(405).end();
      else if (message.method !== "tools/call" || Number.isNaN(size)) answerJson(message, response);
      else void writeLarge(type, message.id as number, size, response);
    });
    const connection = await connect({ type: "http", url });
    expect(await callForText(connection, "20")).toHaveLength(20 * MEBIBYTE);
    expect(await failureOf(callTool(connection, "65"))).toMatchObject({ code: "TOO_LARGE" });
    expect(await callForText(connection, "small")).toBe("called small");
    expect(connection.closeReason).toBeUndefined();
  },
);
