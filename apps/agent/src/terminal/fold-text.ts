import { formatCount } from "./format.ts";
import { expandTabs, truncate } from "./text-width.ts";

/** How much of a text is shown. */
export interface FoldOptions {
  /** Lines at most. */
  lines: number;
  /** Columns at most. @default any */
  width?: number;
}

/** The beginning of a text. */
export interface FoldedText {
  lines: string[];
  /** How many lines are not shown. */
  hidden: number;
  /** Whether a line that is shown was cut. */
  isCut: boolean;
}

/** Of a text, so much cannot be printed at least when it is none for people. */
const BINARY_SHARE = 0.1;

/** Takes the first lines of a plain text. A single line more than allowed is shown: naming it would take a line too. */
export function foldText(text: string, { lines: limit, width = Number.POSITIVE_INFINITY }: FoldOptions): FoldedText {
  const all = splitLines(text);
  const shown = all.length === limit + 1 ? all : all.slice(0, limit);
  const lines = shown.map((line) => truncate(expandTabs(line), width));
  const isCut = lines.some((line, index) => line.endsWith("…") && line !== expandTabs(shown[index] ?? ""));
  return { lines, hidden: all.length - shown.length, isCut };
}

/** What stands below a text that was folded: how much is missing, and what shows it. */
export function describeRest(hidden: number): string {
  return hidden > 0 ? `… ${formatCount(hidden, "more line")} (/output)` : "… (/output)";
}

/** The lines of a text, without the empty ones at its end. */
export function splitLines(text: string): string[] {
  const end = text.trimEnd();
  return end === "" ? [] : end.split("\n");
}

/** Whether a text is data that somebody has taken for a text: there is much in it that cannot be printed. */
export function isBinaryLike(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- these characters are what this is about
  const unprintable = text.match(/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f\ufffd]/g)?.length ?? 0;
  return unprintable > text.length * BINARY_SHARE;
}
