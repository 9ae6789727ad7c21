import { isRecord, type JsonSchema } from "@toolgate/contracts";

import { findBrokenReferences } from "./schema-references.ts";
import { exceedsLimits } from "./value-limits.ts";

/** An object schema whose every part is a schema that a validator or a model's API takes. */
export type ReadInputSchema = JsonSchema & { type: "object" };

/** Keywords whose value is a schema. */
const SCHEMA_KEYWORDS: readonly string[] = [
  "additionalItems",
  "additionalProperties",
  "contains",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
];
/** Keywords whose value is a list of schemas; `items` is one in older drafts. */
const LIST_KEYWORDS: readonly string[] = ["allOf", "anyOf", "items", "oneOf", "prefixItems"];
/** Keywords whose value has schemas by name. */
const MAP_KEYWORDS: readonly string[] = ["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"];

/**
 * Reads the schema of a tool's parameters: a missing one, and what is written in an older or a neighbouring dialect, is put
 * into plain JSON Schema where the meaning is clear.
 *
 * @returns the schema, or why the tool cannot be offered with it
 */
export function readInputSchema(schema: unknown): ReadInputSchema | string {
  // A tool without parameters is often listed without a schema; PHP writes an empty object as an empty array.
  if (schema === undefined || schema === null) return { type: "object", properties: {} };
  if (isEmptyArray(schema)) return { type: "object", properties: {} };
  if (!isRecord(schema)) return "its inputSchema is not an object";
  const excess = exceedsLimits(schema);
  if (excess !== undefined) return `its inputSchema ${excess}`;
  const { type } = schema;
  const isObject =
    type === undefined || type === null || type === "object" || (Array.isArray(type) && type.includes("object"));
  if (!isObject) return `its inputSchema has the type ${JSON.stringify(type)} instead of "object"`;
  const repair = new SchemaRepair(findBrokenReferences(schema));
  const { nullable: _nullable, ...rest } = schema;
  const repaired = repair.schema({ ...rest, type: "object" }, "its inputSchema");
  return repair.problem ?? (repaired as ReadInputSchema);
}

/** Puts one schema in order, from the outside to the inside. The depth has been checked before. */
class SchemaRepair {
  /** The first thing that has no plain meaning. */
  problem: string | undefined;
  readonly #broken: ReadonlySet<unknown>;

  constructor(broken: ReadonlySet<unknown>) {
    this.#broken = broken;
  }

  /** @param place - How a problem calls the schema. */
  schema(value: unknown, place: string): unknown {
    if (typeof value === "boolean") return value;
    // No schema at all: anything goes.
    if (value === null || isEmptyArray(value)) return {};
    if (!isRecord(value)) {
      this.problem ??= `${place} holds ${JSON.stringify(value)?.slice(0, 40)} in place of a schema`;
      return {};
    }
    const repaired: Record<string, unknown> = { ...value };
    for (const keyword of MAP_KEYWORDS) this.#repairMap(repaired, keyword, place);
    for (const keyword of SCHEMA_KEYWORDS) {
      const part = repaired[keyword];
      if (part === undefined || (keyword === "items" && Array.isArray(part) && part.length > 0)) continue;
      repaired[keyword] = this.schema(part, place);
    }
    for (const keyword of LIST_KEYWORDS) {
      const parts = repaired[keyword];
      if (Array.isArray(parts)) repaired[keyword] = parts.map((part: unknown) => this.schema(part, place));
    }
    hoistRequired(value, repaired);
    // Draft 3 says "any" where later drafts say nothing.
    if (repaired["type"] === null || repaired["type"] === "any") delete repaired["type"];
    allowNull(repaired);
    // A reference into nowhere says nothing; what stands beside it still counts.
    if (this.#broken.has(repaired["$ref"])) delete repaired["$ref"];
    return repaired;
  }

  #repairMap(repaired: Record<string, unknown>, keyword: string, place: string): void {
    const map = repaired[keyword];
    if (map === undefined) return;
    if (map === null || isEmptyArray(map)) {
      delete repaired[keyword];
    } else if (isRecord(map)) {
      repaired[keyword] = Object.fromEntries(
        Object.entries(map).map(([name, part]) => [
          name,
          this.schema(part, keyword === "properties" ? `the property "${name}" of ${place}` : place),
        ]),
      );
    } else {
      this.problem ??= `the ${keyword} of ${place} are not an object`;
    }
  }
}

/** Draft 3 marks a required property at the property; later drafts list the names at the object. */
function hoistRequired(original: Record<string, unknown>, repaired: Record<string, unknown>): void {
  const { required } = original;
  const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  const properties = isRecord(original["properties"]) ? original["properties"] : {};
  for (const [name, property] of Object.entries(properties)) {
    if (isRecord(property) && property["required"] === true && !names.includes(name)) names.push(name);
  }
  if (names.length > 0 || Array.isArray(required)) repaired["required"] = names;
  else delete repaired["required"];
}

/** OpenAPI 3.0 says `nullable` where JSON Schema has the type "null". */
function allowNull(schema: Record<string, unknown>): void {
  const { nullable, type, enum: values } = schema;
  if (typeof nullable !== "boolean") return;
  delete schema["nullable"];
  if (!nullable || type === undefined || type === null) return;
  const types: unknown[] = Array.isArray(type) ? type : [type];
  schema["type"] = types.includes("null") ? types : [...types, "null"];
  if (Array.isArray(values) && !values.includes(null)) schema["enum"] = [...(values as unknown[]), null];
}

function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
