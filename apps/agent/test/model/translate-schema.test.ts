import type { ToolParameters } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { translateSchema } from "../../src/model/translate-schema.ts";

const tree: ToolParameters = {
  type: "object",
  properties: { root: { $ref: "#/$defs/node" } },
  $defs: { node: { type: "object", properties: { children: { type: "array", items: { $ref: "#/$defs/node" } } } } },
};

test("Google gets references written out, choices as anyOf, and nothing that it does not know", () => {
  const translated = translateSchema(
    {
      type: "object",
      additionalProperties: false,
      $schema: "https://json-schema.org/draft/2020-12/schema",
      properties: {
        from: { $ref: "#/$defs/place", description: "where it starts" },
        to: { $ref: "#/$defs/place" },
        amount: { type: "number", exclusiveMinimum: 0, multipleOf: 5 },
        how: { oneOf: [{ const: "fast" }, { type: "integer", format: "int32" }, { type: "null" }] },
        when: { type: ["string", "null"], format: "date-time" },
        mail: { type: "string", format: "email", pattern: "@", enum: ["a@b", ""] },
        pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
        list: { type: "array" },
        level: { type: "integer", enum: [1, 2] },
        anything: {},
      },
      required: ["from", "gone"],
      $defs: {
        place: { allOf: [{ $ref: "#/$defs/named" }, { type: "object", properties: { zip: { type: "string" } } }] },
        named: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      },
    },
    "google",
  );
  const place = {
    type: "object",
    properties: { name: { type: "string" }, zip: { type: "string" } },
    required: ["name"],
  };
  expect(translated).toEqual({
    ok: true,
    schema: {
      type: "object",
      properties: {
        from: { ...place, description: "where it starts" },
        to: place,
        amount: { type: "number" },
        how: { anyOf: [{ type: "string", enum: ["fast"] }, { type: "integer", format: "int32" }, { type: "null" }] },
        when: { type: ["string", "null"], format: "date-time" },
        mail: { type: "string", enum: ["a@b"] },
        pair: { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } },
        list: { type: "array", items: { type: "string" } },
        level: { type: "integer" },
        anything: { type: "string" },
      },
      required: ["from"],
    },
  });
});

test("a schema that contains itself is none for Google, and as it is for the others", () => {
  expect(translateSchema(tree, "google")).toEqual({ ok: false, problem: expect.stringContaining("contains itself") });
  expect(translateSchema(tree, "openai")).toEqual({ ok: true, schema: tree });
  expect(translateSchema(tree, "anthropic")).toEqual({ ok: true, schema: tree });
});

test("a reference that leads out of the schema or nowhere is none for anybody", () => {
  for (const $ref of ["https://example.com/other.json", "#/$defs/gone", 7]) {
    const schema: ToolParameters = { type: "object", properties: { a: { $ref } } };
    for (const dialect of ["openai", "anthropic", "google"] as const) {
      expect(translateSchema(schema, dialect)).toMatchObject({
        ok: false,
        problem: expect.stringContaining("refers to"),
      });
    }
  }
});

test("references that multiply end before they fill a request", () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 14 }, (_none, index) => [
      `level${index}`,
      {
        type: "object",
        properties: { a: { $ref: `#/$defs/level${index + 1}` }, b: { $ref: `#/$defs/level${index + 1}` } },
      },
    ]),
  );
  const schema: ToolParameters = {
    type: "object",
    properties: { a: { $ref: "#/$defs/level0" } },
    $defs: { ...$defs, level14: { type: "string" } },
  };
  expect(translateSchema(schema, "google")).toEqual({ ok: false, problem: expect.stringContaining("too large") });
});

test("alternatives at the top become properties of one object", () => {
  const schema: ToolParameters = {
    type: "object",
    properties: { id: { type: "string" } },
    required: ["id"],
    oneOf: [
      { properties: { name: { type: "string" }, both: { type: "number" } }, required: ["name", "both"] },
      { properties: { code: { type: "number" }, both: { type: "number" } }, required: ["code", "both"] },
    ],
    allOf: [{ if: { required: ["name"] }, else: { required: ["x"] } }],
    not: { required: ["y"] },
  };
  expect(translateSchema(schema, "openai")).toEqual({
    ok: true,
    schema: {
      type: "object",
      properties: {
        id: { type: "string" },
        name: { type: "string" },
        both: { type: "number" },
        code: { type: "number" },
      },
      required: ["id", "both"],
    },
  });
});

test("forms of older drafts are put into today's", () => {
  const schema: ToolParameters = {
    $schema: "http://json-schema.org/draft-04/schema#",
    id: "http://example.com/old",
    type: "object",
    properties: {
      id: { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false, required: true },
      pair: { type: "array", items: [{ type: "string" }], additionalItems: false },
    },
  };
  expect(translateSchema(schema, "anthropic")).toEqual({
    ok: true,
    schema: {
      type: "object",
      properties: {
        id: { type: "number", exclusiveMinimum: 0, maximum: 9 },
        pair: { type: "array", prefixItems: [{ type: "string" }], items: false },
      },
    },
  });
});

test("names of parameters that Anthropic refuses are found before it does", () => {
  const schema: ToolParameters = { type: "object", properties: { "filter[name]": { type: "string" } } };
  expect(translateSchema(schema, "anthropic")).toMatchObject({
    ok: false,
    problem: expect.stringContaining("filter[name]"),
  });
  expect(translateSchema(schema, "openai")).toMatchObject({ ok: true });
});

test("what is nested without end is left out, not thrown", () => {
  let property: object = { type: "string" };
  for (let depth = 0; depth < 50_000; depth += 1) property = { type: "object", properties: { a: property } };
  const schema: ToolParameters = { type: "object", properties: { property } };
  expect(translateSchema(schema, "google")).toMatchObject({ ok: false });
});
