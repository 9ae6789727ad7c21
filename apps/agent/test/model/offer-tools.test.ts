import type { AgentTool } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { narrowTools } from "../../src/model/narrow-tools.ts";
import { offerTools } from "../../src/model/offer-tools.ts";
import type { ProviderId } from "../../src/model/providers.ts";
import { providerOf } from "../../src/model/providers.ts";
import { createWireNames } from "../../src/model/wire-names.ts";
import { plainTool } from "../support/plain-tool.ts";
import { collect, scriptedModel } from "../support/scripted-model.ts";

function serverTool(server: string, tool: string): AgentTool {
  return Object.assign(plainTool(`mcp_${server}_${tool}`), { server, tool });
}

const many = [
  ...Array.from({ length: 100 }, (_none, index) => serverTool("files", `tool${index}`)),
  ...Array.from({ length: 40 }, (_none, index) => serverTool("db", `tool${index}`)),
];
const offer = (tools: readonly AgentTool[], provider: ProviderId): ReturnType<typeof offerTools> =>
  offerTools(tools, providerOf(provider), {
    names: createWireNames(tools.map(({ name }) => name)),
    sent: new Map(),
  });

function failureOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("it did not fail");
}

test("more tools than a provider takes are the user's choice, with what brings them", () => {
  const told =
    /takes at most 128 tools and 140 are active, 12 too many: files 100, db 40\. Choose which ones go: (.*)$/;
  const [, ways = ""] = told.exec(failureOf(() => offer(many, "openai"))) ?? [];
  for (const way of ["`/mcp disable files`", "`toolgate mcp disable files`", "`includeTools`", "`--tools 'files.*'`"]) {
    expect(ways).toContain(way);
  }
  expect(offer(many, "anthropic").tools).toHaveLength(140);
  expect(offer(many.slice(0, 128), "openai").tools).toHaveLength(128);
});

test("a tool that cannot be said is left out, and the others are there", () => {
  const odd = { ...plainTool("odd"), parameters: { type: "object" as const, properties: { a: { $ref: "x.json" } } } };
  const { tools, leftOut } = offer([plainTool("b"), odd, plainTool("a")], "google");
  expect(tools.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(leftOut).toEqual(['Google does not get odd: its schema refers to "x.json", which is not in it.']);
});

test("a schema that says the same in another order is sent as it was before", () => {
  const tool = (properties: object): AgentTool => ({ ...plainTool("a"), parameters: { type: "object", properties } });
  const sent = new Map();
  const [first, second, third] = [
    { a: { type: "string", title: "A" }, b: { type: "number" } },
    { b: { type: "number" }, a: { title: "A", type: "string" } },
    { b: { type: "number" }, a: { title: "Other", type: "string" } },
  ].map((properties) => {
    const names = createWireNames(["a"]);
    return JSON.stringify(offerTools([tool(properties)], providerOf("openai"), { names, sent }).tools);
  });
  expect(second).toBe(first);
  expect(third).toContain('"properties":{"b"');
});

test("OpenAI is told that schemas are not strict, and Anthropic where its cache ends", () => {
  expect(offer([plainTool("a")], "openai").tools).toMatchObject([{ strict: false }]);
  const { tools } = offer([plainTool("a"), plainTool("b")], "anthropic");
  expect(tools.map(({ providerOptions }) => providerOptions !== undefined)).toEqual([false, true]);
  expect(tools[0]).not.toHaveProperty("strict");
});

test("names are those that every provider takes, and lead back", () => {
  const names = [
    "mcp_a_b",
    "1st",
    "_1st",
    "a.b",
    "a/b",
    "a_b",
    `long.${"x".repeat(80)}`,
    `long.${"x".repeat(81)}`,
    "ü",
  ];
  const wire = createWireNames(names);
  const sent = names.map(wire.toWire);
  expect(new Set(sent).size).toBe(names.length);
  for (const name of sent) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
  expect(sent.map(wire.fromWire)).toEqual(names);
  expect(["mcp_a_b", "_1st", "a_b"].map(wire.toWire)).toEqual(["mcp_a_b", "_1st", "a_b"]);
  expect(wire.fromWire("never_offered")).toBe("never_offered");
});

test("a narrowed model sees only the tools that are meant", async () => {
  const model = scriptedModel([]);
  const narrowed = narrowTools(model, ["mcp_db_tool1*", "files.tool7"]);
  await collect(narrowed.respond({ messages: [], tools: many.slice(0, 108), signal: new AbortController().signal }));
  expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(["mcp_files_tool7", "mcp_db_tool1"]);
  expect(narrowTools(model, undefined)).toBe(model);
});
