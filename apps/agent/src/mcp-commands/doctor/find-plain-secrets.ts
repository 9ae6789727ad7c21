import { isRecord, isSecretName } from "@toolgate/contracts";
import { isLoopback } from "@toolgate/mcp-client";

import { holdsKnownToken, isPlaceholder, isPlainSecret, removeReferences } from "./secret-texts.ts";

/** A secret that stands in an entry as plain text. The value itself is not part of it. */
export interface PlainSecret {
  /** Keys that lead to it within the entry. */
  field: (string | number)[];
  /** For people: `env.TOKEN`, `args[2] (the value of --api-key)`. */
  label: string;
  /** What the value is called: of a variable, a header, an option or a parameter. */
  name: string;
}

/** Fields whose values belong to names that tell what they are. */
const NAMED_VALUES = /^(?:env|envs|environment|headers?|http_headers|auth|oauth)$/i;
/** Fields whose values are the names of variables. */
const VARIABLE_NAMES = /^env_(?:vars|keys|http_headers)$|_env_var$/;

/**
 * Finds the plain secrets of an entry as it is written in its file: in variables, headers, sign-in data, arguments and
 * addresses. What is called like a secret, looks like one and is neither a reference nor a placeholder counts.
 */
export function findPlainSecrets(definition: unknown): PlainSecret[] {
  return isRecord(definition) ? walkRecord(definition, [], false) : [];
}

function walkRecord(record: Record<string, unknown>, path: (string | number)[], isNamed: boolean): PlainSecret[] {
  return Object.entries(record).flatMap(([key, value]) => {
    if (VARIABLE_NAMES.test(key)) return [];
    const field = [...path, key];
    if (typeof value === "string") return checkText(value, key, { field, isNamed });
    if (Array.isArray(value)) return walkArguments(value, field);
    return isRecord(value) ? walkRecord(value, field, isNamed || NAMED_VALUES.test(key)) : [];
  });
}

interface Place {
  field: (string | number)[];
  isNamed: boolean;
}

function checkText(text: string, name: string, { field, isNamed }: Place): PlainSecret[] {
  const label = formatField(field);
  const inAddress = findInAddress(text, field);
  if (inAddress.length > 0) return inAddress;
  const isSecret = isNamed ? isPlainSecret(name, text) : holdsKnownToken(removeReferences(text));
  return isSecret ? [{ field, label, name }] : [];
}

function walkArguments(words: readonly unknown[], path: (string | number)[]): PlainSecret[] {
  return words.flatMap((word, index) => {
    const field = [...path, index];
    if (isRecord(word)) return walkRecord(word, field, false);
    if (typeof word !== "string") return [];
    const inAddress = findInAddress(word, field);
    if (inAddress.length > 0) return inAddress;
    const named = readNamedArgument(word, words[index - 1]);
    if (named !== undefined && isPlainSecret(named.name, named.value)) {
      return [{ field, label: `${formatField(field)} (the value of ${named.label})`, name: named.name }];
    }
    return holdsKnownToken(removeReferences(word)) ? [{ field, label: formatField(field), name: "TOKEN" }] : [];
  });
}

/** `--name value`, `--name=value`, `NAME=value` and `Header: value`. */
function readNamedArgument(
  word: string,
  previous: unknown,
): { name: string; value: string; label: string } | undefined {
  const [, label, value] = /^(-{0,2}[A-Za-z][\w.-]*)(?:=|:\s+)(\S.*)$/.exec(word) ?? [];
  if (label !== undefined && value !== undefined) return { name: label.replace(/^-+/, ""), value, label };
  if (typeof previous !== "string" || !/^--?[A-Za-z][\w.-]*$/.test(previous) || word.startsWith("-")) return undefined;
  return { name: previous.replace(/^-+/, ""), value: word, label: previous };
}

/** Passwords and secret-looking parameters of a URL; those for this machine alone guard nothing. */
function findInAddress(text: string, field: (string | number)[]): PlainSecret[] {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return [];
  const label = formatField(field);
  const found: PlainSecret[] = [];
  const [, password, host] = /^[^:]+:\/\/[^/?#:@]*:([^/?#@]+)@([^/?#:]*)/.exec(text) ?? [];
  if (password !== undefined && !isLoopback(host ?? "") && !isPlaceholder(removeReferences(password))) {
    found.push({ field, label: `${label} (its password)`, name: "PASSWORD" });
  }
  for (const [, name = "", value = ""] of text.matchAll(/[?&]([^=&#]+)=([^&#]*)/g)) {
    if (!isSecretName(name) || !isPlainSecret(name, value)) continue;
    found.push({ field, label: `${label} (its parameter ${name})`, name });
  }
  return found;
}

function formatField(field: readonly (string | number)[]): string {
  return field.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? key : `${text}.${key}`;
  }, "");
}
