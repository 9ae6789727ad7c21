/** Sorts texts in code unit order: the same everywhere, whatever the language of the system. */
export function byCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
