import type { JsonSchema } from "@toolgate/contracts";
import { isRecord } from "@toolgate/contracts";

import { resolveReference } from "./schema-reference.ts";

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

/**
 * A schema in today's JSON Schema, which OpenAI and Anthropic check tools against: forms of older drafts are put into
 * the present ones, everything else is kept.
 *
 * @throws UntranslatableSchemaError when a reference leads nowhere
 */
export function modernizeSchema(schema: JsonSchema): JsonSchema {
  return modernize(schema, schema) as JsonSchema;
}

function modernize(node: unknown, root: JsonSchema): unknown {
  if (!isRecord(node)) return typeof node === "boolean" ? node : {};
  if (node["$ref"] !== undefined) resolveReference(root, node["$ref"]);
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (DROPPED.has(keyword)) continue;
    result[keyword] = modernizeKeyword(keyword, value, root);
  }
  modernizeTuple(result, node, root);
  modernizeLimit(result, { limit: "minimum", exclusive: "exclusiveMinimum" });
  modernizeLimit(result, { limit: "maximum", exclusive: "exclusiveMaximum" });
  // In the third draft a property said of itself whether it is required.
  if (!Array.isArray(result["required"])) delete result["required"];
  return result;
}

function modernizeKeyword(keyword: string, value: unknown, root: JsonSchema): unknown {
  if (SCHEMA_KEYWORDS.has(keyword) && !Array.isArray(value)) return modernize(value, root);
  if (LIST_KEYWORDS.has(keyword) && Array.isArray(value)) return value.map((item) => modernize(item, root));
  if (MAP_KEYWORDS.has(keyword) && isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, modernize(item, root)]));
  }
  return value;
}

function modernizeTuple(result: Record<string, unknown>, node: Record<string, unknown>, root: JsonSchema): void {
  const { items, additionalItems } = node;
  if (!Array.isArray(items)) return;
  result["prefixItems"] = items.map((item) => modernize(item, root));
  delete result["items"];
  delete result["additionalItems"];
  if (additionalItems !== undefined) result["items"] = modernize(additionalItems, root);
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
