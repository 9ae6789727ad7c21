import { expect, test } from "vitest";

import { parseToolArguments } from "../../src/mcp-commands/tool-arguments.ts";

const schema = {
  type: "object",
  properties: {
    count: { type: "integer" },
    ratio: { type: "number" },
    deep: { type: "boolean" },
    names: { type: "array", items: { type: "string" } },
    filter: { type: "object" },
    text: { type: "string" },
    maybe: { type: ["integer", "null"] },
    either: { anyOf: [{ type: "number" }, { type: "string" }] },
    level: { enum: ["low", "high"] },
  },
};

test("values follow the schema, and are text without one", () => {
  const pairs = ["count=3", "ratio=.5", "deep=true", 'names=["a"]', 'filter={"a":1}', "text=42", "unknown=42"];
  expect(parseToolArguments(pairs, schema)).toEqual({
    ok: true,
    values: { count: 3, ratio: 0.5, deep: true, names: ["a"], filter: { a: 1 }, text: "42", unknown: "42" },
  });
});

test("alternatives of a schema are tried from the narrow to the wide", () => {
  expect(parseToolArguments(["maybe=null", "either=7", "level=low"], schema)).toEqual({
    ok: true,
    values: { maybe: null, either: 7, level: "low" },
  });
  expect(parseToolArguments(["either=seven"], schema)).toEqual({ ok: true, values: { either: "seven" } });
});

test.each([
  ["count=1.5", "count must be a whole number"],
  ["count=", "count must be a whole number"],
  ["deep=yes", "deep must be true or false"],
  ["names=a,b", "names must be a JSON array"],
  ["filter=[]", "filter must be a JSON object"],
  ["novalue", "is not key=value"],
  ["=x", "is not key=value"],
])("%s is refused", (pair, problem) => {
  expect(parseToolArguments([pair], schema)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
});

test("a value may hold an equals sign and be empty", () => {
  expect(parseToolArguments(["text=a=b", "other="], schema)).toEqual({ ok: true, values: { text: "a=b", other: "" } });
});

test("pairs win over the same key of the JSON, which must be an object", () => {
  expect(parseToolArguments(["count=2"], schema, '{"count":1,"text":"x"}')).toEqual({
    ok: true,
    values: { count: 2, text: "x" },
  });
  expect(parseToolArguments([], schema, "[1]")).toMatchObject({ ok: false });
  expect(parseToolArguments([], schema, "{")).toMatchObject({ ok: false });
});

test("a key of an object's own prototype is a key like any other", () => {
  const parsed = parseToolArguments(["__proto__=x", "constructor=y"], schema);
  expect(parsed.ok && Object.entries(parsed.values)).toEqual([
    ["__proto__", "x"],
    ["constructor", "y"],
  ]);
});
