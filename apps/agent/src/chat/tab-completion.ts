import type { CompleterResult } from "node:readline";

import { padEnd, textWidth } from "../terminal/text-width.ts";

/** Says what a line may go on with, and which part of its end that replaces. */
export type LineCompleter = (line: string) => CompleterResult | Promise<CompleterResult>;

/** What Tab does: write in place of the last word, or show what there is. */
export type Completion = { replaced: number; by: string } | { candidates: string[] };

/** What all candidates agree on is written; where that is no more than there is, they are shown. */
export function completeWord([candidates, word]: CompleterResult): Completion | undefined {
  const [first, ...others] = candidates;
  if (first === undefined) return undefined;
  const common = others.reduce(commonPrefix, first);
  return word.startsWith(common) ? { candidates } : { replaced: word.length, by: common };
}

/** Candidates side by side, as many as the columns have room for. */
export function renderCandidates(candidates: readonly string[], columns: number): string {
  const width = Math.max(...candidates.map(textWidth)) + 2;
  const perRow = Math.max(1, Math.floor(columns / width));
  const rows: string[] = [];
  for (let start = 0; start < candidates.length; start += perRow) {
    const cells = candidates.slice(start, start + perRow).map((candidate) => padEnd(candidate, width));
    rows.push(cells.join("").trimEnd());
  }
  return rows.join("\n");
}

function commonPrefix(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}
