import type { JsonSchema } from "@toolgate/contracts";
import { isRecord } from "@toolgate/contracts";

import { resolveReference, UntranslatableSchemaError } from "./schema-reference.ts";

/** Keywords whose value is a schema. */
const SCHEMA_KEYWORDS = new Set([
  "items",
  "additionalProperties",
  "unevaluatedProperties",
  "unevaluatedItems",
  "contains",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
]);
const LIST_KEYWORDS = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const MAP_KEYWORDS = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
/** What identifies a document, not what it allows: a dialect of long ago named here makes a provider refuse it. */
const DROPPED = new Set(["$schema", "$id", "id", "$comment", "$anchor"]);

/** No provider takes anything like it, and the stack has an end. */
const MAX_DEPTH = 100;

/** Where a walk through a schema is. */
interface Walk {
  root: JsonSchema;
  depth: number;
}

/**
 * A schema in today's JSON Schema, which OpenAI and Anthropic check tools against: forms of older drafts are put into
 * the present ones, everything else is kept.
 *
 * @throws UntranslatableSchemaError when a reference leads nowhere, or it is nested too deeply
 */
export function modernizeSchema(schema: JsonSchema): JsonSchema {
  return modernize(schema, { root: schema, depth: 0 }) as JsonSchema;
}

function modernize(node: unknown, { root, depth }: Walk): unknown {
  if (depth > MAX_DEPTH) throw new UntranslatableSchemaError("is nested too deeply");
  const walk = { root, depth: depth + 1 };
  if (!isRecord(node)) return typeof node === "boolean" ? node : {};
  if (node["$ref"] !== undefined) resolveReference(root, node["$ref"]);
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (DROPPED.has(keyword)) continue;
    result[keyword] = modernizeKeyword(keyword, value, walk);
  }
  modernizeTuple(result, node, walk);
  modernizeLimit(result, { limit: "minimum", exclusive: "exclusiveMinimum" });
  modernizeLimit(result, { limit: "maximum", exclusive: "exclusiveMaximum" });
  // In the third draft a property said of itself whether it is required.
  if (!Array.isArray(result["required"])) delete result["required"];
  return result;
}

function modernizeKeyword(keyword: string, value: unknown, walk: Walk): unknown {
  if (SCHEMA_KEYWORDS.has(keyword) && !Array.isArray(value)) return modernize(value, walk);
  if (LIST_KEYWORDS.has(keyword) && Array.isArray(value)) return value.map((item) => modernize(item, walk));
  if (MAP_KEYWORDS.has(keyword) && isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, modernize(item, walk)]));
  }
  return value;
}

function modernizeTuple(result: Record<string, unknown>, node: Record<string, unknown>, walk: Walk): void {
  const { items, additionalItems } = node;
  if (!Array.isArray(items)) return;
  result["prefixItems"] = items.map((item) => modernize(item, walk));
  delete result["items"];
  delete result["additionalItems"];
  if (additionalItems !== undefined) result["items"] = modernize(additionalItems, walk);
}

function modernizeLimit(
  result: Record<string, unknown>,
  { limit, exclusive }: { limit: string; exclusive: string },
): void {
  if (typeof result[exclusive] !== "boolean") return;
  const isExclusive = result[exclusive] && typeof result[limit] === "number";
  delete result[exclusive];
  if (!isExclusive) return;
  result[exclusive] = result[limit];
  delete result[limit];
}
