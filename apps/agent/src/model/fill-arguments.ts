import type { ToolParameters } from "@toolgate/contracts";
import { isRecord } from "@toolgate/contracts";

import { parseToolArguments } from "../mcp-commands/tool-arguments.ts";
import type { PromptWords } from "./prompt-words.ts";

/** Arguments that a prompt gives, and the required ones that it does not. */
export interface FilledArguments {
  values: Record<string, unknown>;
  missing: string[];
  /** What cannot be used although it was named. */
  problem?: string;
}

/** What arguments are made of. */
export interface FillRequest {
  words: PromptWords;
  /** What earlier prompts gave. @default nothing */
  known?: Record<string, unknown>;
  /** A text that may be taken for the one text that is missing. @default none */
  remainder?: string;
}

const PATH_NAME = /path|file|dir|folder|source|destination/i;
const URL_NAME = /ur[il]|link|address/i;

/**
 * Finds a tool's arguments in a prompt: every parameter by `key=value`, required ones also by what has their type: texts
 * in quotes, paths, addresses, numbers, choices, JSON. Nothing is guessed beyond that.
 */
export function fillArguments(parameters: ToolParameters, request: FillRequest): FilledArguments {
  const { words, known = {}, remainder } = request;
  const properties = isRecord(parameters.properties) ? parameters.properties : {};
  const named = words.pairs.filter(({ key }) => Object.hasOwn(properties, key));
  const parsed = parseToolArguments(
    named.map(({ key, value }) => `${key}=${value}`),
    parameters,
  );
  if (!parsed.ok) return { values: { ...known }, missing: [], problem: parsed.problem };
  const values = { ...known, ...parsed.values };
  const supply = new Supply(words);
  const required = Array.isArray(parameters.required) ? parameters.required : [];
  const open = required.filter((name): name is string => typeof name === "string" && !Object.hasOwn(values, name));
  // What has few readings goes first: a path is a text too.
  for (const name of open.toSorted((a, b) => rankOf(a, properties[a]) - rankOf(b, properties[b]))) {
    const value = supply.take(name, properties[name]);
    if (value !== undefined) values[name] = value;
  }
  const missing = open.filter((name) => !Object.hasOwn(values, name));
  const [only] = missing;
  // Only where nothing of it can have gone to another parameter.
  const isFree = open.length === 1 && named.length === 0 && remainder !== undefined && remainder !== "";
  if (only !== undefined && isFree) {
    const last = parseToolArguments([`${only}=${remainder}`], parameters);
    if (last.ok) return { values: { ...values, ...last.values }, missing: [] };
  }
  return { values, missing };
}

function rankOf(name: string, schema: unknown): number {
  const types = typesOf(schema);
  if (choicesOf(schema).length > 0) return 0;
  if (!types.includes("string") && types.length > 0) return 1;
  return PATH_NAME.test(name) || URL_NAME.test(name) ? 2 : 3;
}

/** The values of a prompt, each of which is used once. */
class Supply {
  readonly #words: PromptWords;

  constructor(words: PromptWords) {
    this.#words = structuredClone(words);
  }

  take(name: string, schema: unknown): unknown {
    const { numbers, paths, urls, quoted, json } = this.#words;
    const choices = choicesOf(schema);
    if (choices.length > 0) return this.#takeChoice(choices);
    const types = typesOf(schema);
    if (types.includes("integer")) return takeFirst(numbers, Number.isInteger);
    if (types.includes("number")) return numbers.shift();
    if (types.includes("boolean")) return this.#takeBoolean();
    if (types.includes("array")) return takeFirst(json, Array.isArray) ?? this.#takeList(name, schema);
    if (types.includes("object")) return takeFirst(json, isRecord);
    if (URL_NAME.test(name)) return urls.shift() ?? quoted.shift();
    if (PATH_NAME.test(name)) return paths.shift() ?? quoted.shift();
    return quoted.shift();
  }

  #takeChoice(choices: readonly unknown[]): unknown {
    const { plain, quoted, numbers } = this.#words;
    const given = new Set([...plain, ...quoted, ...numbers].map((word) => String(word).toLowerCase()));
    return choices.find((choice) => given.has(String(choice).toLowerCase()));
  }

  #takeBoolean(): boolean | undefined {
    const word = this.#words.plain.find((text) => /^(?:true|false|yes|no)$/i.test(text));
    return word === undefined ? undefined : /^(?:true|yes)$/i.test(word);
  }

  /** All paths or quoted texts, where a list of texts is wanted. */
  #takeList(name: string, schema: unknown): string[] | undefined {
    const items = isRecord(schema) ? typesOf(schema["items"]) : [];
    if (!items.includes("string")) return undefined;
    const list = PATH_NAME.test(name) ? this.#words.paths : this.#words.quoted;
    return list.length === 0 ? undefined : list.splice(0);
  }
}

function takeFirst<T>(list: T[], fits: (value: T) => boolean): T | undefined {
  const index = list.findIndex(fits);
  return index === -1 ? undefined : list.splice(index, 1)[0];
}

function choicesOf(schema: unknown): unknown[] {
  if (!isRecord(schema)) return [];
  if (Object.hasOwn(schema, "const")) return [schema["const"]];
  const { enum: choices } = schema;
  return Array.isArray(choices) ? choices : [];
}

function typesOf(schema: unknown): string[] {
  if (!isRecord(schema)) return [];
  const { type } = schema;
  const own = (Array.isArray(type) ? type : [type]).filter((item): item is string => typeof item === "string");
  if (own.length > 0) return own;
  return [schema["anyOf"], schema["oneOf"]].filter(Array.isArray).flat().flatMap(typesOf);
}
