import { listPrompts, listResources, listTools } from "@toolgate/mcp-client";
import { MCPManager } from "@toolgate/mcp-manager";
import { expect, test } from "vitest";

import { connect, failureOf, scripted } from "../../packages/mcp-client/test/support/scripted.ts";
import { temporaryDirectory } from "../../tooling/fixture-servers/index.mjs";
import { serveHttp } from "../support/http-faults.ts";

function tool(name: string) {
  return { name, inputSchema: { type: "object" } };
}

async function list(pages: object[]) {
  const { tools, ...others } = await listTools(await connect(scripted({ pages })));
  return { names: tools.map(({ name }) => name), ...others };
}

test("all pages are listed, an empty one with a cursor and an empty cursor included", async () => {
  const { names, invalid, incomplete } = await list([
    { tools: [tool("a"), tool("b")], nextCursor: "2" },
    { cursor: "2", tools: [], nextCursor: "" },
    { cursor: "", tools: [tool("c"), tool("d")], nextCursor: "4" },
    { cursor: "4", tools: [tool("e"), tool("f")] },
  ]);
  expect(names).toEqual(["a", "b", "c", "d", "e", "f"]);
  expect({ invalid, incomplete }).toEqual({ invalid: [], incomplete: undefined });
});

test("a cursor that is a number goes back as it came", async () => {
  const { names } = await list([
    { tools: [tool("a")], nextCursor: 2 },
    { cursor: 2, tools: [tool("b")], nextCursor: null },
  ]);
  expect(names).toEqual(["a", "b"]);
});

test("a cursor that never advances ends the list, keeps the tools and is reported", async () => {
  const { names, invalid, incomplete } = await list([
    { tools: [tool("a")], nextCursor: "x" },
    { cursor: "x", tools: [tool("b")], nextCursor: "x" },
  ]);
  expect(names).toEqual(["a", "b"]);
  expect(invalid).toEqual([]);
  expect(incomplete).toMatchObject({ code: "LIST_FAILED", server: "fixture", stage: "list", transport: "stdio" });
  expect(incomplete?.message).toContain('its cursor "x" comes again');
});

test("a page that repeats the one before adds nothing and is no duplicate", async () => {
  const { names, invalid, incomplete } = await list([
    { tools: [tool("a")], nextCursor: "x" },
    { cursor: "x", tools: [tool("a")], nextCursor: "x" },
  ]);
  expect(names).toEqual(["a"]);
  expect(invalid).toEqual([]);
  expect(incomplete).toBeDefined();
});

test.each([
  [true, 1000],
  ["empty", 0],
])("a list whose every page names another one (%s) is cut off after %i tools", async (endless, count) => {
  const { tools, incomplete } = await listTools(await connect(scripted({ endless })));
  expect(tools).toHaveLength(count);
  expect(incomplete).toMatchObject({ code: "LIST_FAILED" });
  expect(incomplete?.message).toContain("more than 1000 pages");
});

test("a list that takes longer than a request may take in all is cut off", async () => {
  const { tools, incomplete } = await listTools(await connect(scripted({ endless: true })), { maxTotalTimeout: 1 });
  expect(tools.length).toBeGreaterThan(0);
  expect(tools.length).toBeLessThan(1000);
  expect(incomplete?.message).toContain("longer than 1 ms");
});

test("a list that is larger than any is cut off", async () => {
  const tools = Array.from({ length: 10_001 }, (_, index) => tool(`tool-${index}`));
  const { url } = await serveHttp({ tools });
  const { tools: kept, incomplete } = await listTools(await connect({ type: "http", url }));
  expect(kept).toHaveLength(10_000);
  expect(incomplete?.message).toContain("more than 10000 entries");
});

test("the manager keeps the tools of a list without an end, and says what is wrong with it", async () => {
  await using directory = await temporaryDirectory();
  await using manager = new MCPManager(directory.path, { compileCacheDirectory: false });
  const pages = [
    { tools: [tool("a"), { name: "b", inputSchema: 7 }], nextCursor: "x" },
    { cursor: "x", tools: [tool("c")], nextCursor: "x" },
  ];
  const options = { startupTimeoutMs: Number.POSITIVE_INFINITY };
  const { tools, errors } = await manager.connectServers({ s: scripted({ pages }) }, {}, options);
  expect(errors).toEqual(new Map());
  expect(tools.map(({ name }) => name)).toEqual(["mcp_s_a", "mcp_s_c"]);
  const [{ status, warnings } = { warnings: [] }] = manager.describeServers();
  expect(status).toBe("connected");
  expect(warnings).toEqual([expect.stringContaining("the tool b"), expect.stringContaining('"x" comes again')]);
});

test("an empty cursor that meant the end is one", async () => {
  const { names, incomplete } = await list([{ tools: [tool("a")], nextCursor: "" }]);
  expect(names).toEqual(["a"]);
  expect(incomplete).toBeUndefined();
});

test("a page that fails makes the list fail: half a list is not a list", async () => {
  const connection = await connect(scripted({ pages: [{ tools: [tool("a")], nextCursor: "lost" }] }));
  const error = await failureOf(listTools(connection));
  expect(error).toMatchObject({ code: "LIST_FAILED", server: "fixture", stage: "list" });
  expect(error.message).toContain("bad cursor lost");
});

test("resources and prompts are listed as tolerantly as tools", async () => {
  const answers = {
    "resources/list": {
      resources: [
        { uri: "a://1", title: 7, mimeType: null },
        { name: "lost" },
        { uri: "a://1", name: "again" },
        { uri: "a://2", name: "two" },
      ],
      nextCursor: "x",
    },
    "prompts/list": { prompts: [{ name: "p", arguments: [{ name: "n" }, "odd"] }, 3, { name: "q", arguments: {} }] },
  };
  const connection = await connect(scripted({ capabilities: { resources: {}, prompts: {} }, answers }));
  const problems: string[] = [];
  const onProblem = (problem: string) => void problems.push(problem);
  expect(await listResources(connection, { onProblem })).toEqual([
    { uri: "a://1", name: "a://1" },
    { uri: "a://2", name: "two" },
  ]);
  expect(await listPrompts(connection, { onProblem })).toEqual([
    { name: "p", arguments: [{ name: "n" }] },
    { name: "q" },
  ]);
  expect(problems.join("\n")).toMatch(/resource without a uri[^]*a:\/\/1 is listed again[^]*"x" comes again[^]*prompt/);
});
