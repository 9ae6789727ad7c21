import { listTools } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { connect, scripted } from "../../packages/mcp-client/test/support/scripted.ts";

async function list(...tools: unknown[]) {
  return listTools(await connect(scripted({ pages: [{ tools }] })));
}

test("a tool whose parameters are no object is reported and hides no other", async () => {
  const { tools, invalid } = await list(
    { name: "good", inputSchema: { type: "object" } },
    { name: "bad", inputSchema: { type: "string" } },
    { inputSchema: { type: "object" } },
    "nonsense",
    { name: "last", inputSchema: { type: "object" } },
  );
  expect(tools.map(({ name }) => name)).toEqual(["good", "last"]);
  expect(invalid).toEqual([
    { name: "bad", reason: `its inputSchema has the type "string" instead of "object"` },
    { reason: "the tool has no name" },
    { reason: "the tool is not an object" },
  ]);
});

test("sparse schemas are completed", async () => {
  const { tools, invalid } = await list(
    { name: "empty", inputSchema: {} },
    { name: "dialect", inputSchema: { $schema: "https://json-schema.org/draft/2020-12/schema" } },
    { name: "absent" },
    { name: "nullable", inputSchema: { type: ["object", "null"], properties: null, required: "x" }, description: 7 },
  );
  expect(invalid).toEqual([]);
  expect(tools).toEqual([
    { name: "empty", inputSchema: { type: "object" } },
    { name: "dialect", inputSchema: { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" } },
    { name: "absent", inputSchema: { type: "object", properties: {} } },
    { name: "nullable", inputSchema: { type: "object" } },
  ]);
});

test("an output schema with a reference into nowhere is kept and never compiled", async () => {
  const outputSchema = { type: "object", properties: { x: { $ref: "#/$defs/missing" } } };
  const { tools } = await list({ name: "dangling", inputSchema: { type: "object" }, outputSchema });
  expect(tools).toEqual([{ name: "dangling", inputSchema: { type: "object" }, outputSchema }]);
});

test("names are passed on as they are", async () => {
  const names = ["a.b", "a/b", "a b", "größe", "工具"];
  const { tools } = await list(...names.map((name) => ({ name, inputSchema: { type: "object" } })));
  expect(tools.map(({ name }) => name)).toEqual(names);
});

test("a server without tools has none, and is not asked", async () => {
  const connection = await connect(scripted({ capabilities: { prompts: {} } }));
  await expect(listTools(connection)).resolves.toEqual({ tools: [], invalid: [] });
  expect(connection.closeReason).toBeUndefined();
});
