import { inspect } from "node:util";

import { isRecord, SECRET_MASK } from "@toolgate/contracts";

/** Levels of nested values that are looked through; a server may send any number. */
const DEPTH_LIMIT = 32;

/**
 * A value that may be printed with everything that is attached to it: the value itself where it holds no secret, else a
 * copy of the same kind in which all texts are redacted, those of errors and their causes included.
 */
export function redactValue(value: unknown, redact: (text: string) => string): unknown {
  return new Redaction(redact).copy(value, 0);
}

class Redaction {
  readonly #redact: (text: string) => string;
  readonly #copies = new Map<object, unknown>();

  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  copy(value: unknown, depth: number): unknown {
    if (typeof value === "string") return this.#redact(value);
    if (typeof value !== "object" || value === null) return value;
    const known = this.#copies.get(value);
    if (known !== undefined) return known;
    if (depth > DEPTH_LIMIT) return SECRET_MASK;
    if (value instanceof Error) return this.#copyFields(value, Object.create(Object.getPrototypeOf(value)), depth);
    if (Array.isArray(value)) return this.#copyFields(value, [], depth);
    if (isPlain(value)) return this.#copyFields(value, {}, depth);
    // What another kind of object prints is its own affair, so that what it prints is looked at.
    const printed = inspect(value, { depth: DEPTH_LIMIT });
    const redacted = this.#redact(printed);
    return redacted === printed ? value : redacted;
  }

  #copyFields(original: object, copy: object, depth: number): object {
    this.#copies.set(original, copy);
    let differs = false;
    for (const [name, field] of Object.entries(Object.getOwnPropertyDescriptors(original))) {
      if (name === "length" && Array.isArray(original)) continue;
      const shownName = this.#redact(name);
      // Newer versions of V8 have the stack of an error behind an accessor.
      const current: unknown = "value" in field ? field.value : Reflect.get(original, name);
      const value = this.copy(current, depth + 1);
      differs ||= shownName !== name || value !== current;
      Object.defineProperty(copy, shownName, { value, enumerable: field.enumerable ?? true, writable: true });
    }
    for (const symbol of Object.getOwnPropertySymbols(original)) {
      Object.defineProperty(copy, symbol, Object.getOwnPropertyDescriptor(original, symbol) ?? {});
    }
    if (!differs) this.#copies.set(original, original);
    return differs ? copy : original;
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return isRecord(value) && (prototype === null || prototype === Object.prototype);
}
