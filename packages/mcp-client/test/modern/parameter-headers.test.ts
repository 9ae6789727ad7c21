import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { expect, onTestFinished, test } from "vitest";

import { connectToServer } from "../../src/connect-to-server.ts";
import { ParameterHeaders, readParameterHeaders } from "../../src/modern/parameter-headers.ts";
import { callTool } from "../../src/requests/call-tool.ts";
import { listTools } from "../../src/requests/list-tools.ts";

const schema = {
  type: "object",
  properties: {
    region: { type: "string", "x-mcp-header": "Region" },
    query: { type: "string" },
    target: { type: "object", properties: { shard: { type: "integer", "x-mcp-header": "Shard" } } },
    dry: { type: "boolean", "x-mcp-header": "Dry" },
  },
} as const;

/** A server of the modern era without a network, and the headers of the calls that it was sent. */
function serve(): { fetch: typeof globalThis.fetch; calls: Record<string, string>[] } {
  const calls: Record<string, string>[] = [];
  const handler = createMcpHandler(() => {
    const { server } = new McpServer({ name: "fixture", version: "1" }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/list", () => ({
      tools: [
        { name: "route", inputSchema: schema },
        { name: "odd", inputSchema: { type: "object", properties: { a: { type: "object", "x-mcp-header": "A" } } } },
      ],
    }));
    server.setRequestHandler("tools/call", () => ({ content: [{ type: "text", text: "routed" }] }));
    return server;
  });
  onTestFinished(() => handler.close());
  return {
    calls,
    fetch: (input, init) => {
      const request = new Request(input, init);
      if (request.headers.get("mcp-method") === "tools/call") {
        const entries = [...request.headers].filter(([name]) => name.startsWith("mcp-param-"));
        calls.push(Object.fromEntries(entries));
      }
      return handler.fetch(request);
    },
  };
}

async function connect(fetch: typeof globalThis.fetch) {
  const config = { type: "http", url: "http://fixture.test/mcp", protocol: "modern" } as const;
  const connection = await connectToServer("fixture", config, { fetch });
  onTestFinished(() => connection.close());
  return connection;
}

test("a call repeats in headers what the tool's schema names, at any depth", async () => {
  const { fetch, calls } = serve();
  const connection = await connect(fetch);
  await listTools(connection);
  await callTool(connection, "route", { region: "us-west1", query: "all", target: { shard: 7 }, dry: false });
  expect(calls).toEqual([{ "mcp-param-region": "us-west1", "mcp-param-shard": "7", "mcp-param-dry": "false" }]);
});

test("a tool that asks for a header which cannot be sent is listed as unusable, and the others are not lost", async () => {
  const { tools, invalid } = await listTools(await connect(serve().fetch));
  expect(tools.map(({ name }) => name)).toEqual(["route"]);
  expect(invalid).toEqual([{ name: "odd", reason: 'its x-mcp-header "A" is at a parameter that no header can carry' }]);
});

test("a call whose headers a server misses is sent again with those of the tool's current definition", async () => {
  const refused: unknown[] = [];
  const { fetch, calls } = serve();
  // The fixture's SDK does not compare headers with a schema of a handler of its own.
  const connection = await connect(async (input, init) => {
    const request = new Request(input, init);
    const isCall = request.headers.get("mcp-method") === "tools/call";
    if (!isCall || request.headers.has("mcp-param-region")) return fetch(request);
    const body = (await request.json()) as { id: number };
    refused.push(body);
    const error = { code: -32_020, message: "Header mismatch: Mcp-Param-Region" };
    return Response.json({ jsonrpc: "2.0", id: body.id, error }, { status: 400 });
  });
  expect(await callTool(connection, "route", { region: "eu" })).toMatchObject({ isError: false });
  expect(refused).toHaveLength(1);
  expect(calls).toEqual([{ "mcp-param-region": "eu" }]);
});

test.each([
  ["plain text inside", 'a b"c', 'a b"c'],
  ["white space around", " a", "=?base64?IGE=?="],
  ["a line break", "a\nb", "=?base64?YQpi?="],
  ["letters beyond ASCII", "é", "=?base64?w6k=?="],
  ["nothing", "", "=?base64??="],
  ["what looks encoded", "=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="],
])("a value with %s is sent so that it arrives unchanged", (_, region, header) => {
  const headers = new ParameterHeaders();
  headers.learn({ tools: [{ name: "route", inputSchema: schema }] });
  expect(headers.headersOf({ name: "route", arguments: { region } })).toEqual({ "Mcp-Param-Region": header });
});

test("a parameter that is null, missing, of a type without a text or beyond exact numbers has no header", () => {
  const headers = new ParameterHeaders();
  headers.learn({ tools: [{ name: "route", inputSchema: schema }, null, { name: "bare" }] });
  const args = { region: null, target: { shard: 2 ** 60 }, dry: ["a"] };
  expect(headers.headersOf({ name: "route", arguments: args })).toEqual({});
  expect(headers.headersOf({ name: "route" })).toEqual({});
  expect(headers.headersOf({ name: "bare", arguments: args })).toEqual({});
  expect(headers.headersOf({ name: "unknown", arguments: args })).toEqual({});
});

const annotated = { type: "string", "x-mcp-header": "A" };

test.each([
  ["at the root", { ...annotated, type: "object" }, "stands where no parameter is"],
  [
    "in the items of a list",
    { properties: { a: { type: "array", items: annotated } } },
    "stands where no parameter is",
  ],
  ["in an alternative", { anyOf: [{ properties: { a: annotated } }] }, "stands where no parameter is"],
  ["in a definition", { $defs: { a: annotated } }, "stands where no parameter is"],
  ["with an empty name", { properties: { a: { type: "string", "x-mcp-header": "" } } }, "is not a name of a header"],
  ["with a line break", { properties: { a: { type: "string", "x-mcp-header": "A\nB" } } }, "is not a name of a header"],
  ["at a number", { properties: { a: { type: "number", "x-mcp-header": "A" } } }, "no header can carry"],
  ["twice", { properties: { a: annotated, b: { ...annotated, "x-mcp-header": "a" } } }, "is there twice"],
])("an annotation %s makes a tool unusable", (_, inputSchema, reason) => {
  expect(readParameterHeaders(inputSchema)).toContain(reason);
});

test("data in a schema is not taken for an annotation, and parameters may have any name", () => {
  const properties = { const: annotated, a: { default: { "x-mcp-header": 1 }, enum: [{ "x-mcp-header": 2 }] } };
  expect(readParameterHeaders({ properties })).toEqual([{ name: "A", path: ["const"] }]);
});

test("a schema that is nested deeper than the stack is read", () => {
  let deep: Record<string, unknown> = { type: "string" };
  for (let depth = 0; depth < 20_000; depth += 1) deep = { items: deep };
  expect(readParameterHeaders(deep)).toEqual([]);
});
