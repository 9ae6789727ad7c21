import type { JsonSchema } from "@toolgate/contracts";
import { isRecord } from "@toolgate/contracts";

import { completePairs } from "./complete-pairs.ts";

/**
 * Completes an argument of a tool: `key=`, then the values that its schema names.
 *
 * @param before - The whole words between the tool and the one that is being typed.
 */
export async function completeToolArgument(
  schema: JsonSchema | undefined,
  before: readonly string[],
  word: string,
): Promise<string[]> {
  const properties = isRecord(schema?.properties) ? schema.properties : {};
  return completePairs(before, word, {
    keys: Object.keys(properties),
    valuesOf: (key) => valuesOf(properties[key]),
  });
}

function valuesOf(schema: unknown): string[] {
  if (!isRecord(schema)) return [];
  const { enum: choices, const: only, type, anyOf, oneOf } = schema;
  if (Array.isArray(choices)) return choices.filter(isPlain).map(String);
  if (isPlain(only)) return [String(only)];
  if (type === "boolean") return ["true", "false"];
  return [anyOf, oneOf].filter(Array.isArray).flat().flatMap(valuesOf);
}

function isPlain(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
