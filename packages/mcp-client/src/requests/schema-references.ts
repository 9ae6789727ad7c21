import { isRecord } from "@toolgate/contracts";

/** Steps from one reference to the next before they count as a circle. */
const CHAIN_LIMIT = 64;

/**
 * The references of a schema that lead nowhere: to a definition that is not there, in a circle without an end, or to another
 * document, which is never fetched. A definition that contains itself is fine. The depth must have been checked.
 */
export function findBrokenReferences(schema: Record<string, unknown>): Set<unknown> {
  const references = new Set<string>();
  const names = new Set<string>();
  collect(schema, references, names);
  return new Set([...references].filter((reference) => !leadsSomewhere(schema, reference, names)));
}

/** Notes what is referred to, and what gives itself a name to be referred by. */
function collect(value: unknown, references: Set<string>, names: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  if (isRecord(value)) {
    const { $ref, $id, id, $anchor, $dynamicAnchor } = value;
    if (typeof $ref === "string") references.add($ref);
    for (const name of [$id, id]) if (typeof name === "string") names.add(name);
    for (const anchor of [$anchor, $dynamicAnchor]) if (typeof anchor === "string") names.add(`#${anchor}`);
  }
  for (const item of Object.values(value)) collect(item, references, names);
}

function leadsSomewhere(root: Record<string, unknown>, reference: string, names: ReadonlySet<string>): boolean {
  let next = reference;
  for (let step = 0; step < CHAIN_LIMIT; step += 1) {
    if (names.has(next) || next === "#") return true;
    const target = next.startsWith("#/") ? follow(root, next) : undefined;
    if (!isRecord(target)) return typeof target === "boolean";
    if (typeof target["$ref"] !== "string") return true;
    next = target["$ref"];
  }
  return false;
}

/** What a JSON pointer (RFC 6901) in a fragment points to. */
function follow(root: unknown, reference: string): unknown {
  let target = root;
  for (const part of reference.slice(2).split("/")) {
    if (typeof target !== "object" || target === null) return undefined;
    const key = decode(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (!Object.hasOwn(target, key)) return undefined;
    target = (target as Record<string, unknown>)[key];
  }
  return target;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
