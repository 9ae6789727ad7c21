import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { expect, onTestFinished, test } from "vitest";

import { connectToServer } from "../../src/connect-to-server.ts";

const config = { type: "http", url: "http://fixture.test/mcp", protocol: "modern" } as const;

/** Refuses the revision as often as said, and names it as one that is spoken. */
function serveRefusing(times: number): { fetch: typeof globalThis.fetch; asked: () => number } {
  const server = () => new McpServer({ name: "fixture", version: "1" }, { capabilities: {} });
  const handler = createMcpHandler(server);
  onTestFinished(() => handler.close());
  let asked = 0;
  return {
    asked: () => asked,
    fetch: async (input, init) => {
      asked += 1;
      if (asked > times) return handler.fetch(new Request(input, init));
      const error = { code: -32_022, message: "Unsupported protocol version", data: { supported: ["2026-07-28"] } };
      return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 400 });
    },
  };
}

test("a server that refuses the revision and names it is asked once more", async () => {
  const { fetch, asked } = serveRefusing(1);
  const connection = await connectToServer("fixture", config, { fetch });
  onTestFinished(() => connection.close());
  expect(connection.era).toBe("modern");
  expect(asked()).toBe(2);
});

test("a server that keeps refusing is not asked again and again", async () => {
  const { fetch, asked } = serveRefusing(Infinity);
  await expect(connectToServer("fixture", config, { fetch })).rejects.toMatchObject({ code: "PROTOCOL_UNSUPPORTED" });
  expect(asked()).toBe(2);
});
