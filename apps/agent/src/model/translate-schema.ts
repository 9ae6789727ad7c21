import type { ToolParameters } from "@toolgate/contracts";

import { flattenRoot } from "./flatten-root.ts";
import { toGoogleSchema } from "./google-schema.ts";
import { modernizeSchema } from "./plain-schema.ts";
import { UntranslatableSchemaError } from "./schema-reference.ts";

/** Which form of JSON Schema a provider takes for a tool's parameters. */
export type SchemaDialect = "openai" | "anthropic" | "google";

/** A schema in a provider's form, or why there is none; `problem` completes "its schema …". */
export type TranslatedSchema = { ok: true; schema: ToolParameters } | { ok: false; problem: string };

const ANTHROPIC_PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Puts a tool's parameters in the form that a provider takes. Never throws; the input is left as it is. */
export function translateSchema(parameters: ToolParameters, dialect: SchemaDialect): TranslatedSchema {
  try {
    const schema = flattenRoot(modernizeSchema(parameters));
    if (dialect === "google") return { ok: true, schema: { ...toGoogleSchema(schema), type: "object" } };
    if (dialect === "anthropic") checkPropertyNames(schema);
    return { ok: true, schema };
  } catch (error) {
    if (error instanceof UntranslatableSchemaError) return { ok: false, problem: error.message };
    throw error;
  }
}

function checkPropertyNames({ properties }: ToolParameters): void {
  const odd = Object.keys(properties as object).find((name) => !ANTHROPIC_PROPERTY.test(name));
  if (odd === undefined) return;
  throw new UntranslatableSchemaError(
    `has the parameter ${JSON.stringify(odd)}; names are of A-Z, a-z, 0-9, "_", "." and "-" there, 64 at most`,
  );
}
