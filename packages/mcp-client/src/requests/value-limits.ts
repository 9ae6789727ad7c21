/** Levels of nesting; what validators and models take is far below. */
const DEPTH_LIMIT = 64;
/** Values of all kinds, keys and items together. */
const VALUE_LIMIT = 50_000;

/**
 * Says by how much a value that came from a server is too large to be walked through, stored and shown.
 *
 * @returns a phrase such as "is nested deeper than 64 levels"; `undefined` when it is not too large
 */
export function exceedsLimits(value: unknown): string | undefined {
  // By levels and without recursion, since the depth is what is in doubt.
  let level: unknown[] = [value];
  let values = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_LIMIT) return `is nested deeper than ${DEPTH_LIMIT} levels`;
    values += level.length;
    if (values > VALUE_LIMIT) return `has more than ${VALUE_LIMIT} values`;
    level = level.flatMap((item) =>
      typeof item === "object" && item !== null ? (Object.values(item) as unknown[]) : [],
    );
  }
  return undefined;
}
