/** Longest name that is compared; real ones are far shorter. */
const MAX_LENGTH = 100;

/**
 * The name that a person has probably meant: the one that takes the fewest changes, when those are no more than a third
 * of it; else one that begins with what was typed.
 */
export function findNearest(typed: string, names: Iterable<string>): string | undefined {
  if (typed === "" || typed.length > MAX_LENGTH) return undefined;
  const wanted = typed.toLowerCase();
  const candidates = [...new Set(names)].filter((name) => name.length <= MAX_LENGTH);
  const [nearest] = candidates
    .map((name) => ({ name, distance: countChanges(wanted, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(typed.length, name.length) / 3)
    .toSorted((a, b) => a.distance - b.distance);
  return nearest?.name ?? candidates.find((name) => wanted.length > 1 && name.toLowerCase().startsWith(wanted));
}

/** A sentence with the nearest name and a blank before it, or nothing. */
export function suggestNearest(typed: string, names: Iterable<string>): string {
  const nearest = findNearest(typed, names);
  return nearest === undefined ? "" : ` Did you mean ${nearest}?`;
}

/** How many characters must be put in, taken out, replaced or swapped with their neighbour. */
function countChanges(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isSwapped) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
