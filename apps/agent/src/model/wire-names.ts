import { createHash } from "node:crypto";

const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

/** Names of tools as a provider takes them, and back. */
export interface WireNames {
  toWire: (name: string) => string;
  /** A name that was never offered is given back as it is. */
  fromWire: (wire: string) => string;
}

/**
 * Names that every provider takes: `[a-zA-Z0-9_-]`, a letter or underscore first (Google's rule), 64 characters at most.
 * The tools of servers have such names already; those of a host may not.
 */
export function createWireNames(names: readonly string[]): WireNames {
  const back = new Map<string, string>();
  const isPlain = (name: string): boolean => createWireName(name) === name;
  // Names that can stay go first: they must not make way for one that is made up.
  for (const name of names.toSorted((a, b) => Number(isPlain(b)) - Number(isPlain(a)))) {
    const plain = createWireName(name);
    back.set(back.has(plain) ? createHashedName(name) : plain, name);
  }
  const there = new Map([...back].map(([wire, name]) => [name, wire]));
  return {
    toWire: (name) => there.get(name) ?? createWireName(name),
    fromWire: (wire) => back.get(wire) ?? wire,
  };
}

function createWireName(name: string): string {
  const characters = name.replace(/[^a-zA-Z0-9_-]/g, "_");
  const wire = /^[a-zA-Z_]/.test(characters) ? characters : `_${characters}`;
  return wire.length <= MAX_LENGTH ? wire : createHashedName(name);
}

function createHashedName(name: string): string {
  const hash = createHash("sha256").update(name).digest("hex").slice(0, HASH_LENGTH);
  const start = `_${name.replace(/[^a-zA-Z0-9_-]/g, "_")}`.slice(0, MAX_LENGTH - HASH_LENGTH - 1);
  return `${start}_${hash}`;
}
