/** Lines that are compared; a model reads a hint, not a search result. */
const MAX_LINES = 20_000;
/** Characters of each line that are compared. */
const MAX_CHARACTERS = 300;
/** Below it two lines have nothing to do with each other. */
const LEAST_LIKENESS = 0.4;

/** A line of a file, counted from 1. */
export interface NumberedLine {
  number: number;
  line: string;
}

/**
 * Finds the line that is most like the first line of a text that is not in the file, by pairs of letters: a wrong
 * indentation or a misspelt word is what mostly keeps a text from being found.
 */
export function findNearestLine(text: string, wanted: string): NumberedLine | undefined {
  const first = wanted.split("\n").find((line) => line.trim() !== "");
  if (first === undefined) return undefined;
  const wantedPairs = pairsOf(first);
  let nearest: NumberedLine | undefined;
  let best = LEAST_LIKENESS;
  for (const [index, line] of text.split(/\r?\n/).slice(0, MAX_LINES).entries()) {
    const likeness = line.trim() === first.trim() ? 1 : compare(pairsOf(line), wantedPairs);
    if (likeness <= best) continue;
    best = likeness;
    nearest = { number: index + 1, line };
    if (likeness === 1) break;
  }
  return nearest;
}

function pairsOf(line: string): Set<string> {
  const letters = line.replaceAll(/\s+/g, "").slice(0, MAX_CHARACTERS);
  return new Set(
    Array.from({ length: Math.max(0, letters.length - 1) }, (_, index) => letters.slice(index, index + 2)),
  );
}

function compare(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}
