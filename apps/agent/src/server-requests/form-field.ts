import { isRecord } from "@toolgate/contracts";

import { RequestRefusal } from "./request-refusal.ts";

/** Fields of a form that a person can be asked for in a row. */
const MAX_FIELDS = 50;
/** Choices of one field, each of which every answer is compared with. */
const MAX_CHOICES = 1000;

/** A value that a form gives back. */
export type FieldValue = string | number | boolean | string[];

/** One of the values that a field may have. */
export interface FieldChoice {
  value: string;
  /** What people are shown in place of the value. */
  title: string;
}

/** What an answer to a field has to be. */
export type FieldKind =
  | { type: "text"; minLength?: number; maxLength?: number; pattern?: string; format?: string }
  | { type: "number"; isInteger: boolean; minimum?: number; maximum?: number }
  | { type: "boolean" }
  | { type: "choice"; choices: readonly FieldChoice[] }
  | { type: "choices"; choices: readonly FieldChoice[]; minItems?: number; maxItems?: number }
  /** A type that forms do not have: the person writes JSON. */
  | { type: "json" };

/** One question of a form, from one property of its schema. All texts are the server's. */
export interface FormField {
  name: string;
  title: string;
  description?: string;
  isRequired: boolean;
  kind: FieldKind;
  /** Of the schema, unchecked. */
  default?: unknown;
}

/**
 * Reads the flat schema of a form: choices of revision 2025-11-25 (`oneOf` and `anyOf` with `const` and `title`) and
 * those of 2025-06-18 (`enum` with `enumNames`).
 *
 * @throws RequestRefusal when it describes no form, or one of more fields than anybody would fill in
 */
export function readFormFields(schema: Record<string, unknown>): FormField[] {
  const { properties = {}, required = [] } = schema;
  if (!isRecord(properties) || !Array.isArray(required)) {
    throw new RequestRefusal("invalid", '"requestedSchema" has no usable "properties" and "required".');
  }
  const entries = Object.entries(properties);
  if (entries.length > MAX_FIELDS) {
    throw new RequestRefusal(
      "invalid",
      `"requestedSchema" has ${entries.length} fields; at most ${MAX_FIELDS} are asked for.`,
    );
  }
  return entries.map(([name, property]) => readField(name, isRecord(property) ? property : {}, required));
}

function readField(name: string, property: Record<string, unknown>, required: readonly unknown[]): FormField {
  const { title, description } = property;
  return {
    name,
    title: typeof title === "string" && title.trim() !== "" ? title : name,
    ...(typeof description === "string" && description.trim() !== "" ? { description } : {}),
    isRequired: required.includes(name),
    kind: readKind(property),
    ...(property["default"] === undefined || property["default"] === null ? {} : { default: property["default"] }),
  };
}

function readKind(property: Record<string, unknown>): FieldKind {
  const type = typeOf(property);
  const choices = readChoices(property);
  if (choices !== undefined && (type === "string" || type === undefined)) return { type: "choice", choices };
  switch (type) {
    case "string":
      return {
        type: "text",
        ...numbersOf(property, ["minLength", "maxLength"]),
        ...textsOf(property, ["pattern", "format"]),
      };
    case "number":
    case "integer":
      return { type: "number", isInteger: type === "integer", ...numbersOf(property, ["minimum", "maximum"]) };
    case "boolean":
      return { type: "boolean" };
    case "array": {
      const items = isRecord(property["items"]) ? readChoices(property["items"]) : undefined;
      if (items === undefined) return { type: "json" };
      return { type: "choices", choices: items, ...numbersOf(property, ["minItems", "maxItems"]) };
    }
    default:
      return { type: "json" };
  }
}

/** A type beside `null` counts as that type: what is optional may be left out. */
function typeOf({ type }: Record<string, unknown>): unknown {
  if (!Array.isArray(type)) return type;
  const types = type.filter((each) => each !== "null");
  return types.length === 1 ? types[0] : type;
}

function readChoices(schema: Record<string, unknown>): FieldChoice[] | undefined {
  const { enum: values, enumNames } = schema;
  if (Array.isArray(values)) {
    const names: unknown[] = Array.isArray(enumNames) ? enumNames : [];
    return allOf(values.map((value, index) => choiceOf(value, names[index])));
  }
  const titled = [schema["oneOf"], schema["anyOf"]].find((list) => Array.isArray(list));
  if (Array.isArray(titled)) {
    return allOf(titled.map((each) => (isRecord(each) ? choiceOf(each["const"], each["title"]) : undefined)));
  }
  return undefined;
}

function choiceOf(value: unknown, title: unknown): FieldChoice | undefined {
  if (typeof value !== "string") return undefined;
  return { value, title: typeof title === "string" && title.trim() !== "" ? title : value };
}

/**
 * A list with something that is no choice is none.
 *
 * @throws RequestRefusal when there are more than anybody would choose from
 */
function allOf(choices: readonly (FieldChoice | undefined)[]): FieldChoice[] | undefined {
  if (choices.length > MAX_CHOICES) {
    throw new RequestRefusal("invalid", `A field has ${choices.length} choices; at most ${MAX_CHOICES} are offered.`);
  }
  const known = choices.filter((choice) => choice !== undefined);
  return known.length === choices.length && known.length > 0 ? known : undefined;
}

function numbersOf<Key extends string>(
  schema: Record<string, unknown>,
  keys: readonly Key[],
): Partial<Record<Key, number>> {
  const found = keys.filter((key) => typeof schema[key] === "number").map((key) => [key, schema[key]]);
  return Object.fromEntries(found) as Partial<Record<Key, number>>;
}

function textsOf<Key extends string>(
  schema: Record<string, unknown>,
  keys: readonly Key[],
): Partial<Record<Key, string>> {
  const found = keys.filter((key) => typeof schema[key] === "string").map((key) => [key, schema[key]]);
  return Object.fromEntries(found) as Partial<Record<Key, string>>;
}
