import type { JsonSchema, ToolParameters } from "@toolgate/contracts";
import { isRecord } from "@toolgate/contracts";

import { resolveReference } from "./schema-reference.ts";

const ALTERNATIVES = ["anyOf", "oneOf"] as const;

/**
 * Parameters without alternatives at the top, which no provider takes there: the properties of all of them are offered,
 * and required is what every alternative requires. The tool's server checks what comes all the same.
 */
export function flattenRoot(schema: JsonSchema): ToolParameters {
  const { anyOf: _anyOf, oneOf: _oneOf, allOf: _allOf, not: _not, enum: _enum, $ref: _reference, ...rest } = schema;
  const { if: _if, then: _then, else: _else, ...kept } = rest;
  const merged = mergeObject(schema, schema, new Set());
  if (merged.properties.size === 0) return { ...kept, type: "object", properties: {} };
  return {
    ...kept,
    type: "object",
    properties: Object.fromEntries(merged.properties),
    ...(merged.required.size === 0 ? {} : { required: [...merged.required] }),
  };
}

interface ObjectParts {
  properties: Map<string, unknown>;
  required: Set<string>;
}

function mergeObject(schema: unknown, root: JsonSchema, seen: ReadonlySet<unknown>): ObjectParts {
  const parts: ObjectParts = { properties: new Map(), required: new Set() };
  if (!isRecord(schema) || seen.has(schema)) return parts;
  const within = new Set([...seen, schema]);
  if (isRecord(schema["properties"])) {
    for (const [name, property] of Object.entries(schema["properties"])) parts.properties.set(name, property);
  }
  const { required } = schema;
  if (Array.isArray(required)) for (const name of required) if (typeof name === "string") parts.required.add(name);
  const additions = [
    ...(schema["$ref"] === undefined ? [] : [resolveReference(root, schema["$ref"])]),
    ...(Array.isArray(schema["allOf"]) ? schema["allOf"] : []),
  ];
  for (const addition of additions) add(parts, mergeObject(addition, root, within));
  for (const keyword of ALTERNATIVES) {
    const { [keyword]: alternatives } = schema;
    if (Array.isArray(alternatives)) add(parts, mergeAlternatives(alternatives, root, within));
  }
  return parts;
}

function mergeAlternatives(
  alternatives: readonly unknown[],
  root: JsonSchema,
  seen: ReadonlySet<unknown>,
): ObjectParts {
  const merged = alternatives.map((alternative) => mergeObject(alternative, root, seen));
  const [first] = merged;
  const required = [...(first?.required ?? [])].filter((name) => merged.every((each) => each.required.has(name)));
  return { properties: new Map(merged.flatMap(({ properties }) => [...properties])), required: new Set(required) };
}

function add(parts: ObjectParts, more: ObjectParts): void {
  for (const [name, property] of more.properties) {
    if (!parts.properties.has(name)) parts.properties.set(name, property);
  }
  for (const name of more.required) parts.required.add(name);
}
