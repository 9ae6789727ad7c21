import type { JsonSchema } from "@toolgate/contracts";
import { isRecord } from "@toolgate/contracts";

import { resolveReference, UntranslatableSchemaError } from "./schema-reference.ts";

/** Schemas within a schema. References that are written out multiply; this ends what would not fit a request anyway. */
const MAX_NODES = 2000;

const TYPES = new Set(["string", "number", "integer", "boolean", "array", "object"]);
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  string: ["date-time", "enum"],
  number: ["float", "double"],
  integer: ["int32", "int64"],
};

interface Translation {
  root: JsonSchema;
  /** References that are being written out, from the outside in. */
  open: readonly string[];
  counter: { nodes: number };
}

/**
 * A schema in the subset of OpenAPI that Gemini's function declarations take: references are written out, `oneOf` is
 * `anyOf`, `allOf` is merged, and what the subset does not have is left away. It allows more than the original; the
 * tool's server has the last word.
 *
 * @throws UntranslatableSchemaError when a reference leads nowhere or the schema contains itself
 */
export function toGoogleSchema(schema: JsonSchema): JsonSchema {
  return translate(schema, { root: schema, open: [], counter: { nodes: 0 } });
}

function translate(node: unknown, translation: Translation): JsonSchema {
  translation.counter.nodes += 1;
  if (translation.counter.nodes > MAX_NODES) throw new UntranslatableSchemaError("is too large with its references");
  if (!isRecord(node)) return { type: "string" };
  if (node["$ref"] !== undefined) return translateReference(node, translation);
  if (Array.isArray(node["allOf"])) return translate(mergeAll(node, translation), translation);
  const described = typeof node["description"] === "string" ? { description: node["description"] } : {};
  const alternatives = [node["anyOf"], node["oneOf"]].find(Array.isArray);
  if (alternatives !== undefined) return { ...described, ...translateAlternatives(alternatives, translation) };
  const types = typesOf(node);
  const named = types.filter((type) => type !== "null");
  const nullable = named.length < types.length;
  if (named.length > 1) {
    const anyOf = named.map((type) => translateType(type, node, translation));
    return { ...described, anyOf: nullable ? [...anyOf, { type: "null" }] : anyOf };
  }
  const translated = translateType(named[0] ?? "string", node, translation);
  return { ...translated, ...(nullable ? { type: [translated.type, "null"] } : {}), ...described };
}

function translateReference(node: Record<string, unknown>, translation: Translation): JsonSchema {
  const reference = String(node["$ref"]);
  if (translation.open.includes(reference)) {
    throw new UntranslatableSchemaError(`contains itself (${reference}), which Google's form cannot say`);
  }
  const target = resolveReference(translation.root, node["$ref"]);
  const { $ref: _reference, ...siblings } = node;
  const merged = isRecord(target) ? { ...target, ...siblings } : target;
  return translate(merged, { ...translation, open: [...translation.open, reference] });
}

function translateAlternatives(alternatives: readonly unknown[], translation: Translation): JsonSchema {
  const named = alternatives.filter((item) => !(isRecord(item) && item["type"] === "null"));
  const anyOf = named.map((item) => translate(item, translation));
  const nullable = named.length < alternatives.length ? [{ type: "null" }] : [];
  const [only, ...others] = anyOf;
  if (only === undefined) return { type: "string" };
  return others.length === 0 && nullable.length === 0 ? only : { anyOf: [...anyOf, ...nullable] };
}

/** One schema that has the properties and keywords of all its parts; the outer one wins. */
function mergeAll(node: Record<string, unknown>, { root }: Translation): Record<string, unknown> {
  const { allOf, ...outer } = node;
  let merged: Record<string, unknown> = {};
  for (const part of [...(allOf as unknown[]), outer]) {
    const whole =
      isRecord(part) && part["$ref"] !== undefined && part !== outer ? resolveReference(root, part["$ref"]) : part;
    if (!isRecord(whole)) continue;
    const properties = { ...asRecord(merged["properties"]), ...asRecord(whole["properties"]) };
    const required = [...new Set([...asList(merged["required"]), ...asList(whole["required"])])];
    merged = {
      ...merged,
      ...whole,
      ...(Object.keys(properties).length === 0 ? {} : { properties }),
      ...(required.length === 0 ? {} : { required }),
    };
  }
  return merged;
}

function typesOf(node: Record<string, unknown>): string[] {
  const { type } = node;
  const named = (Array.isArray(type) ? type : [type]).filter(
    (item): item is string => typeof item === "string" && (TYPES.has(item) || item === "null"),
  );
  if (named.length > 0) return named;
  if (isRecord(node["properties"])) return ["object"];
  if (node["items"] !== undefined) return ["array"];
  const values = Object.hasOwn(node, "const") ? [node["const"]] : asList(node["enum"]);
  return values.length > 0 && values.every((value) => typeof value === "number") ? ["number"] : ["string"];
}

function translateType(type: string, node: Record<string, unknown>, translation: Translation): JsonSchema {
  const { format } = node;
  const result: JsonSchema = { type };
  if (typeof format === "string" && FORMATS[type]?.includes(format) === true) result["format"] = format;
  if (type === "string") Object.assign(result, choicesOf(node));
  // Lists without a type of their items are refused.
  if (type === "array") result["items"] = translate(itemsOf(node), translation);
  if (type === "object" && isRecord(node["properties"])) {
    const entries = Object.entries(node["properties"]);
    result.properties = Object.fromEntries(entries.map(([name, item]) => [name, translate(item, translation)]));
    const required = asList(node["required"]).filter((name) => entries.some(([known]) => known === name));
    if (required.length > 0) result.required = required;
  }
  return result;
}

/** Choices are texts there, and none may be empty. */
function choicesOf(node: Record<string, unknown>): { enum?: unknown[] } {
  const values = Object.hasOwn(node, "const") ? [node["const"]] : asList(node["enum"]);
  const texts = values.filter((value) => typeof value === "string" && value !== "");
  return texts.length === 0 ? {} : { enum: texts };
}

function itemsOf(node: Record<string, unknown>): unknown {
  const { items, prefixItems } = node;
  const tuple = Array.isArray(items) ? items : prefixItems;
  if (!Array.isArray(tuple)) return items;
  return tuple.length === 1 ? tuple[0] : { anyOf: tuple };
}

function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
