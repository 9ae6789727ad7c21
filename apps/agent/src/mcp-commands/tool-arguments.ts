import type { JsonSchema } from "@toolgate/contracts";
import { isRecord } from "@toolgate/contracts";

/** Arguments that were understood, or what is wrong with them. */
export type ParsedToolArguments = { ok: true; values: Record<string, unknown> } | { ok: false; problem: string };

/**
 * Understands `key=value` pairs by a tool's schema: numbers, integers and booleans as such, arrays and objects as JSON,
 * everything else as text. A pair wins over the same key of the JSON.
 *
 * @param json - A JSON object with further arguments.
 */
export function parseToolArguments(pairs: readonly string[], schema: JsonSchema, json?: string): ParsedToolArguments {
  const values: Record<string, unknown> = {};
  if (json !== undefined) {
    const parsed = parseJson(json);
    if (!parsed.ok || !isRecord(parsed.value)) return { ok: false, problem: "The arguments must be a JSON object." };
    Object.assign(values, parsed.value);
  }
  const properties = isRecord(schema.properties) ? schema.properties : {};
  for (const pair of pairs) {
    const split = pair.indexOf("=");
    if (split < 1) return { ok: false, problem: `${JSON.stringify(pair)} is not key=value.` };
    const key = pair.slice(0, split);
    const text = pair.slice(split + 1);
    const types = typesOf(Object.hasOwn(properties, key) ? properties[key] : undefined);
    const value = understand(text, types);
    if (value === undefined) {
      return { ok: false, problem: `${key} must be ${describeTypes(types)}; ${JSON.stringify(text)} is not.` };
    }
    Object.defineProperty(values, key, { value: value.value, enumerable: true, configurable: true, writable: true });
  }
  return { ok: true, values };
}

function typesOf(schema: unknown): string[] {
  if (!isRecord(schema)) return [];
  const { type } = schema;
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type.filter((item) => typeof item === "string");
  const alternatives = [schema["anyOf"], schema["oneOf"]].filter(Array.isArray).flat();
  if (alternatives.length > 0) return alternatives.flatMap(typesOf);
  const { enum: choices } = schema;
  return Array.isArray(choices) ? choices.map((item) => (item === null ? "null" : typeof item)) : [];
}

// The order matters: text fits everything, so it comes last unless nothing else is allowed.
function understand(text: string, types: readonly string[]): { value: unknown } | undefined {
  if (types.length === 0) return { value: text };
  const number = text.trim() === "" ? Number.NaN : Number(text);
  if (types.includes("integer") && Number.isInteger(number)) return { value: number };
  if (types.includes("number") && Number.isFinite(number)) return { value: number };
  if (types.includes("boolean") && (text === "true" || text === "false")) return { value: text === "true" };
  if (types.includes("null") && text === "null") return { value: null };
  const parsed = types.some((type) => type === "array" || type === "object") ? parseJson(text) : undefined;
  if (parsed?.ok === true) {
    if (types.includes("array") && Array.isArray(parsed.value)) return { value: parsed.value };
    if (types.includes("object") && isRecord(parsed.value)) return { value: parsed.value };
  }
  const known = ["integer", "number", "boolean", "null", "array", "object"];
  return types.some((type) => !known.includes(type)) ? { value: text } : undefined;
}

function describeTypes(types: readonly string[]): string {
  const names: Record<string, string> = {
    integer: "a whole number",
    number: "a number",
    boolean: "true or false",
    array: "a JSON array",
    object: "a JSON object",
  };
  return types.map((type) => names[type] ?? type).join(" or ");
}

function parseJson(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { ok: false };
  }
}
