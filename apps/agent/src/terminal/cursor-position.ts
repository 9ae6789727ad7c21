import { stripVTControlCharacters } from "node:util";

import { graphemesOf, isOneColumnEach, textWidth } from "./text-width.ts";

/** Where the cursor of a terminal stands, counted from where it started. */
export interface CursorPosition {
  row: number;
  /** As many as there are columns when a row has just been filled: the next character begins another one. */
  column: number;
}

const START: CursorPosition = { row: 0, column: 0 };
const TAB_WIDTH = 8;

/**
 * Where the cursor stands after a text without line feeds, in a terminal that wraps at so many columns.
 *
 * @param from - Where it stood before.
 */
export function advanceCursor(text: string, columns: number, from: CursorPosition = START): CursorPosition {
  if (isOneColumnEach(text)) {
    const end = from.column + text.length;
    const rows = Math.max(0, Math.ceil(end / columns) - 1);
    return { row: from.row + rows, column: end - rows * columns };
  }
  let position = from;
  for (const grapheme of graphemesOf(stripVTControlCharacters(text))) position = step(grapheme, columns, position);
  return position;
}

/** How many rows a text without line feeds takes; an empty one takes one. */
export function countRows(text: string, columns: number): number {
  return advanceCursor(text, columns).row + 1;
}

/** The part of a plain text that stands in some of the rows it is wrapped into; the end is exclusive. */
export function sliceRows(text: string, columns: number, [start, end]: readonly [start: number, end: number]): string {
  let position = START;
  let slice = "";
  for (const grapheme of graphemesOf(text)) {
    position = step(grapheme, columns, position);
    if (position.row >= start && position.row < end) slice += grapheme;
  }
  return slice;
}

function step(grapheme: string, columns: number, { row, column }: CursorPosition): CursorPosition {
  // A tab stops at the last column, it does not wrap.
  if (grapheme === "\t") {
    return { row, column: Math.min(columns, Math.max(column, Math.min(columns - 1, nextTabStop(column)))) };
  }
  const width = textWidth(grapheme);
  return column + width > columns ? { row: row + 1, column: width } : { row, column: column + width };
}

function nextTabStop(column: number): number {
  return (Math.floor(column / TAB_WIDTH) + 1) * TAB_WIDTH;
}
