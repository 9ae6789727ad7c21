import { listTools } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { connect, scripted } from "../../packages/mcp-client/test/support/scripted.ts";
import { serveHttp } from "../support/http-faults.ts";

async function list(...tools: unknown[]) {
  return listTools(await connect(scripted({ pages: [{ tools }] })));
}

/** The input schema that comes out of one, or why it is refused. */
async function readSchema(inputSchema: unknown): Promise<unknown> {
  const { tools, invalid } = await list({ name: "one", inputSchema }, { name: "other" });
  expect(tools.map(({ name }) => name)).toContain("other");
  return tools.find(({ name }) => name === "one")?.inputSchema ?? invalid[0]?.reason;
}

const text = { type: "string" };

test("a tool whose parameters are no object is reported and hides no other", async () => {
  const { tools, invalid } = await list(
    { name: "good", inputSchema: { type: "object" } },
    { name: "bad", inputSchema: { type: "string" } },
    { inputSchema: { type: "object" } },
    "nonsense",
    { name: "text", inputSchema: "object" },
    { name: "last", inputSchema: { type: "object" } },
  );
  expect(tools.map(({ name }) => name)).toEqual(["good", "last"]);
  expect(invalid).toEqual([
    { name: "bad", reason: `its inputSchema has the type "string" instead of "object"` },
    { reason: "the tool has no name" },
    { reason: "the tool is not an object" },
    { name: "text", reason: "its inputSchema is not an object" },
  ]);
});

test("sparse schemas are completed", async () => {
  const { tools, invalid } = await list(
    { name: "empty", inputSchema: {} },
    { name: "dialect", inputSchema: { $schema: "https://json-schema.org/draft/2020-12/schema" } },
    { name: "absent" },
    { name: "list", inputSchema: [] },
    { name: "nullable", inputSchema: { type: ["object", "null"], properties: null, required: "x" }, description: 7 },
  );
  expect(invalid).toEqual([]);
  expect(tools).toEqual([
    { name: "empty", inputSchema: { type: "object" } },
    { name: "dialect", inputSchema: { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" } },
    { name: "absent", inputSchema: { type: "object", properties: {} } },
    { name: "list", inputSchema: { type: "object", properties: {} } },
    { name: "nullable", inputSchema: { type: "object" } },
  ]);
});

test("a property that calls itself required is listed by its object, at every level", async () => {
  const inner = { type: "object", properties: { c: { ...text, required: true }, d: { ...text, required: false } } };
  const properties = { a: { ...text, required: true }, b: { type: "array", items: inner }, e: text };
  expect(await readSchema({ type: "object", properties, required: ["e", 7] })).toEqual({
    type: "object",
    properties: {
      a: text,
      b: { type: "array", items: { type: "object", properties: { c: text, d: text }, required: ["c"] } },
      e: text,
    },
    required: ["e", "a"],
  });
});

test("what may be null is said in the words of JSON Schema", async () => {
  const properties = {
    a: { type: "string", nullable: true, enum: ["x"] },
    b: { type: ["string", "null"], nullable: true },
    c: { type: "string", nullable: false },
    d: { nullable: true },
    e: { type: "any" },
    f: null,
  };
  expect(await readSchema({ type: "object", nullable: true, properties })).toEqual({
    type: "object",
    properties: {
      a: { type: ["string", "null"], enum: ["x", null] },
      b: { type: ["string", "null"] },
      c: text,
      d: {},
      e: {},
      f: {},
    },
  });
});

test("a property that is no schema is named", async () => {
  expect(await readSchema({ properties: { a: { type: "object", properties: { b: "string" } } } })).toBe(
    'the property "b" of the property "a" of its inputSchema holds "string" in place of a schema',
  );
  expect(await readSchema({ properties: "none" })).toBe("the properties of its inputSchema are not an object");
});

test("references into nowhere, in circles and to other documents are dropped; what contains itself stays", async () => {
  const node = { type: "object", properties: { next: { $ref: "#/$defs/node" }, root: { $ref: "#" } } };
  const schema = {
    type: "object",
    properties: {
      missing: { $ref: "#/$defs/missing", description: "still here" },
      circle: { $ref: "#/$defs/one" },
      elsewhere: { $ref: "https://example.com/schema.json" },
      node: { $ref: "#/$defs/node" },
      escaped: { $ref: "#/$defs/a~1b%20c" },
      anchor: { $ref: "#here" },
    },
    $defs: {
      node,
      one: { $ref: "#/$defs/two" },
      two: { $ref: "#/$defs/one" },
      "a/b c": { $anchor: "here", type: "string" },
    },
  };
  expect(await readSchema(schema)).toEqual({
    type: "object",
    properties: {
      ...schema.properties,
      missing: { description: "still here" },
      circle: {},
      elsewhere: {},
    },
    $defs: { ...schema.$defs, one: {}, two: {} },
  });
});

test("an output schema with a reference into nowhere is kept and never compiled", async () => {
  const outputSchema = { type: "object", properties: { x: { $ref: "#/$defs/missing" }, y: { $ref: "#" } } };
  const { tools } = await list({ name: "dangling", inputSchema: { type: "object" }, outputSchema });
  expect(tools).toEqual([{ name: "dangling", inputSchema: { type: "object" }, outputSchema }]);
});

test("schemas without a bottom and without measure are refused, or left out where the tool can do without", async () => {
  let deep: object = {};
  for (let level = 0; level < 500; level += 1) deep = { not: deep };
  const wide = { properties: Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`p${index}`, text])) };
  const { url } = await serveHttp({
    tools: [
      { name: "deep", inputSchema: deep },
      { name: "wide", inputSchema: wide },
      { name: "output", inputSchema: {}, outputSchema: deep, annotations: deep, _meta: deep, icons: [deep] },
    ],
  });
  const { tools, invalid } = await listTools(await connect({ type: "http", url }));
  expect(tools).toEqual([{ name: "output", inputSchema: { type: "object" } }]);
  expect(invalid).toEqual([
    { name: "deep", reason: "its inputSchema is nested deeper than 64 levels" },
    { name: "wide", reason: "its inputSchema has more than 50000 values" },
  ]);
});

test("a hint that is neither true nor false is none", async () => {
  const annotations = { title: "T", readOnlyHint: "false", destructiveHint: true, idempotentHint: 1 };
  const { tools } = await list({ name: "one", annotations });
  expect(tools[0]?.annotations).toEqual({ title: "T", destructiveHint: true });
});

test("the first of two tools of the same name counts, and the other is reported", async () => {
  const { tools, invalid } = await list({ name: "a", title: "first" }, { name: "a", title: "second" }, { name: "b" });
  expect(tools.map(({ name, title }) => [name, title])).toEqual([
    ["a", "first"],
    ["b", undefined],
  ]);
  expect(invalid).toEqual([{ name: "a", reason: "a tool of the same name is listed before it" }]);
});

test("names are passed on as they are", async () => {
  const names = ["a.b", "a/b", "a b", "größe", "工具", "x".repeat(200)];
  const { tools } = await list(...names.map((name) => ({ name, inputSchema: { type: "object" } })));
  expect(tools.map(({ name }) => name)).toEqual(names);
});

test("a server without tools has none, and is not asked", async () => {
  const connection = await connect(scripted({ capabilities: { prompts: {} } }));
  await expect(listTools(connection)).resolves.toEqual({ tools: [], invalid: [] });
  expect(connection.closeReason).toBeUndefined();
});
