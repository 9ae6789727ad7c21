import type { TransportType } from "@toolgate/contracts";

import type { EntryField, EntryRules } from "./convert-entry.ts";
import { fieldNames } from "./convert-entry.ts";

/** A field that is not read, and what the client calls it. */
export interface MisspeltField {
  written: string;
  expected: string;
}

// Names in lower case that people and other clients use. A difference in case alone needs no line here.
const NEAR_MISSES: ReadonlyMap<EntryField, readonly string[]> = new Map([
  ["command", ["command", "cmd", "program", "executable"]],
  ["args", ["args", "arguments", "arg", "argv"]],
  ["env", ["env", "environment", "envs", "environmentvariables"]],
  ["url", ["url", "serverurl", "httpurl", "uri", "baseurl", "endpoint"]],
  ["headers", ["headers", "header", "httpheaders"]],
]);

/**
 * Finds fields whose name is a near miss of one that the client reads and that the entry lacks.
 *
 * @param transport - Of an entry that can be used: fields that mean nothing for it are left alone.
 */
export function findMisspeltFields(
  entry: Record<string, unknown>,
  rules: EntryRules,
  transport?: TransportType,
): MisspeltField[] {
  const known = new Set([...NEAR_MISSES.keys()].flatMap((field) => fieldNames(field, rules)));
  return [...NEAR_MISSES].flatMap(([field, variants]) => {
    if (!isRelevant(field, transport)) return [];
    const names = fieldNames(field, rules);
    const [expected] = names;
    if (expected === undefined || names.some((name) => Object.hasOwn(entry, name))) return [];
    const written = Object.keys(entry).find((key) => !known.has(key) && variants.includes(key.toLowerCase()));
    return written === undefined ? [] : [{ written, expected }];
  });
}

function isRelevant(field: EntryField, transport: TransportType | undefined): boolean {
  if (transport === undefined) return true;
  return transport === "stdio" ? field === "args" || field === "env" : field === "headers";
}
