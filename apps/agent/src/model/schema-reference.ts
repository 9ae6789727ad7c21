import { isRecord } from "@toolgate/contracts";

/** Why a schema cannot be put in the form that a provider takes; the message completes "its schema …". */
export class UntranslatableSchemaError extends Error {
  override readonly name: string = "UntranslatableSchemaError";
}

/**
 * Finds what a `$ref` points to within its own document.
 *
 * @throws UntranslatableSchemaError when it points elsewhere, or to nothing
 */
export function resolveReference(root: unknown, reference: unknown): unknown {
  if (typeof reference !== "string" || (reference !== "#" && !reference.startsWith("#/"))) {
    throw new UntranslatableSchemaError(`refers to ${JSON.stringify(reference)}, which is not in it`);
  }
  let found: unknown = root;
  for (const part of reference.split("/").slice(1)) {
    const key = decodePointer(part);
    const isThere = (isRecord(found) || Array.isArray(found)) && Object.hasOwn(found, key);
    if (!isThere) throw new UntranslatableSchemaError(`refers to ${reference}, which it does not have`);
    found = Reflect.get(found as object, key);
  }
  return found;
}

function decodePointer(part: string): string {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch {
    // A percent sign that encodes nothing stands for itself.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}
