/** Deepest nesting of an entry; real ones have three or four levels. */
const MAX_DEPTH = 32;
/** Most values within an entry; also the end of YAML aliases that refer to each other. */
const MAX_VALUES = 20_000;

/** Whether an entry is too much for whoever walks through it later, for example to hash it. */
export function isNestedTooDeeply(value: unknown): boolean {
  const pending: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  let count = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next.value !== "object" || next.value === null) continue;
    const depth = next.depth + 1;
    if (depth > MAX_DEPTH) return true;
    const children: unknown[] = Object.values(next.value);
    count += children.length;
    if (count > MAX_VALUES) return true;
    for (const child of children) pending.push({ value: child, depth });
  }
  return false;
}
