import type { AgentTool, MCPToolDefinition } from "@toolgate/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";

import { verifies } from "../../../tooling/test-support/verifies.mjs";
import type { ServerTool } from "../src/find-tool.ts";
import { findTool } from "../src/find-tool.ts";
import { ToolCatalog } from "../src/tool-catalog.ts";

test(verifies("L41", "the merged list is sorted by name in code unit order, whatever the order of arrival"), () => {
  const catalog = new ToolCatalog();
  setTools(catalog, "b", ["z", "a"]);
  setTools(catalog, "B", ["a"]);
  setTools(catalog, "a", ["m"]);
  setTools(catalog, "a_b", ["c"]);
  expect(namesOf(catalog)).toEqual([
    "mcp_B_a",
    "mcp_a_b_c",
    "mcp_a_m",
    expect.stringMatching(/^mcp_b_a_[0-9a-f]{8}$/),
    "mcp_b_z",
  ]);
});

test(verifies("L41", "clashing names get a hash, and the first by server and tool keeps the plain name"), () => {
  const catalog = new ToolCatalog();
  setTools(catalog, "a_b", ["c"]);
  setTools(catalog, "a", ["b_c"]);
  const plain = catalog.list().find((tool) => tool.name === "mcp_a_b_c") as ServerTool;
  expect([plain.server, plain.tool]).toEqual(["a", "b_c"]);
  expect(namesOf(catalog).filter((name) => name !== "mcp_a_b_c")).toEqual([
    expect.stringMatching(/^mcp_a_b_c_[0-9a-f]{8}$/),
  ]);
});

test(verifies("L41", "names that differ only in case or in replaced characters do not clash"), () => {
  const catalog = new ToolCatalog();
  setTools(catalog, "s", ["Search", "search", "x.y", "x_y", "x/y"]);
  const lower = namesOf(catalog).map((name) => name.toLowerCase());
  expect(new Set(lower).size).toBe(5);
});

test(verifies("L41", "a server that comes late or comes back renames nothing"), () => {
  const catalog = new ToolCatalog();
  setTools(catalog, "a_b", ["c"]);
  const early = namesOf(catalog);
  setTools(catalog, "a", ["b_c"]);
  expect(namesOf(catalog)).toEqual(expect.arrayContaining(early));
  const before = namesOf(catalog);
  catalog.removeServer("a_b");
  setTools(catalog, "a_b", ["c"]);
  expect(namesOf(catalog)).toEqual(before);
  for (const server of ["a", "a_b"]) catalog.removeServer(server);
  for (const [server, tool] of [
    ["a", "b_c"],
    ["a_b", "c"],
  ] as const)
    setTools(catalog, server, [tool]);
  expect(namesOf(catalog)).toEqual(before);
});

test(verifies("L41", "names are the same after a restart with the same servers"), () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(fc.constantFrom("a", "a_b", "A", "a.b"), fc.string({ maxLength: 4 }))),
      (pairs) => {
        const [first, second] = [pairs, pairs.toReversed()].map((order) => {
          const catalog = new ToolCatalog();
          for (const server of new Set(order.map(([name]) => name))) {
            setTools(
              catalog,
              server,
              order.filter(([name]) => name === server).map(([, tool]) => tool),
            );
          }
          return catalog.list().map((tool) => [tool.name, (tool as ServerTool).server, (tool as ServerTool).tool]);
        });
        expect(first).toEqual(second);
        expect(new Set(first?.map(([name]) => name?.toLowerCase())).size).toBe(first?.length);
      },
    ),
  );
});

test("a tool that is listed twice is offered once", () => {
  const catalog = new ToolCatalog();
  setTools(catalog, "s", ["same", "same"]);
  expect(namesOf(catalog)).toEqual(["mcp_s_same"]);
});

test("a slice that did not change keeps its tool objects", () => {
  const catalog = new ToolCatalog();
  setTools(catalog, "a", ["one"]);
  const [before] = catalog.list();
  setTools(catalog, "b", ["two"]);
  expect(catalog.list()[0]).toBe(before);
});

test(verifies("L41", "other spellings of a tool's name are understood when only one tool fits"), () => {
  const catalog = new ToolCatalog();
  setTools(catalog, "a", ["b.c"]);
  setTools(catalog, "a.b", ["c"]);
  const tools = catalog.list();
  const named = (reference: string): string | undefined =>
    (findTool(tools, reference) as ServerTool | undefined)?.server;
  expect(named("mcp__a__b.c")).toBe("a");
  expect(named("a/b.c")).toBe("a");
  expect(named("a.b/c")).toBe("a.b");
  expect(named("a.b.c")).toBeUndefined();
  expect(named("nothing")).toBeUndefined();
});

function setTools(catalog: ToolCatalog, server: string, tools: readonly string[]): void {
  catalog.setServerTools(server, tools.map(definition), (name, { name: tool, inputSchema }) => ({
    name,
    server,
    tool,
    label: tool,
    description: "",
    parameters: inputSchema,
    execute: async () => ({ content: [], isError: false, details: { tool, durationMs: 0 } }),
  }));
}

function definition(name: string): MCPToolDefinition {
  return { name, inputSchema: { type: "object" } };
}

function namesOf(catalog: ToolCatalog): string[] {
  return catalog.list().map((tool: AgentTool) => tool.name);
}
