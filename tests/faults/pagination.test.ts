import { listTools } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { connect, failureOf, scripted } from "../../packages/mcp-client/test/support/scripted.ts";

function tool(name: string) {
  return { name, inputSchema: { type: "object" } };
}

async function namesOf(pages: object[]): Promise<string[]> {
  const { tools } = await listTools(await connect(scripted({ pages })));
  return tools.map(({ name }) => name);
}

test("all pages are listed, an empty one with a cursor and an empty cursor included", async () => {
  const names = await namesOf([
    { tools: [tool("a"), tool("b")], nextCursor: "2" },
    { cursor: "2", tools: [], nextCursor: "" },
    { cursor: "", tools: [tool("c"), tool("d")], nextCursor: "4" },
    { cursor: "4", tools: [tool("e"), tool("f")] },
  ]);
  expect(names).toEqual(["a", "b", "c", "d", "e", "f"]);
});

test("a cursor that never advances ends the list, and no tool is there twice", async () => {
  const names = await namesOf([
    { tools: [tool("a")], nextCursor: "x" },
    { cursor: "x", tools: [tool("a")], nextCursor: "x" },
  ]);
  expect(names).toEqual(["a"]);
});

test("an empty cursor that meant the end is one", async () => {
  await expect(namesOf([{ tools: [tool("a")], nextCursor: "" }])).resolves.toEqual(["a"]);
});

test("a page that fails makes the list fail: half a list is not a list", async () => {
  const connection = await connect(scripted({ pages: [{ tools: [tool("a")], nextCursor: "lost" }] }));
  const error = await failureOf(listTools(connection));
  expect(error).toMatchObject({ code: "LIST_FAILED", server: "fixture" });
  expect(error.message).toContain("bad cursor lost");
});
