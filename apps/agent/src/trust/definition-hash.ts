import { createHash } from "node:crypto";

/** What an approval is given for: one entry, as it is written, in one file. */
export interface TrustSubject {
  /** Name of the server. */
  name: string;
  /** The entry as it stands in the file, before any expansion. */
  definition: unknown;
  /** Absolute path of the file. */
  path: string;
}

/**
 * Identity of an entry for approvals: SHA-256, in hex, of its name, definition and file. Order of keys and layout do not
 * matter; every other edit gives another hash.
 */
export function hashDefinition({ name, definition, path }: TrustSubject): string {
  return createHash("sha256")
    .update(canonicalJson([name, definition ?? null, path]))
    .digest("hex");
}

/** JSON with sorted keys and without blanks. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
