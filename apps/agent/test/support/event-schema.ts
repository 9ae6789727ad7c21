import { readFileSync } from "node:fs";

import { Ajv } from "ajv";

/** The published schema of an agent's events. */
export const eventSchema = JSON.parse(
  readFileSync(new URL(import.meta.resolve("@toolgate/agent/schema/agent-event.schema.json")), "utf8"),
) as { oneOf: { properties: { type: { const: string } } }[] };

const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(eventSchema);

/** What is wrong with a value as an event; `undefined` for one that is as the schema says. */
export function findEventProblem(value: unknown): string | undefined {
  return validate(value) ? undefined : `${JSON.stringify(value)}: ${JSON.stringify(validate.errors)}`;
}
