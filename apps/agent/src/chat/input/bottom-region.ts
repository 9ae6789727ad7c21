import { stripVTControlCharacters } from "node:util";

import { advanceCursor, countRows, sliceRows } from "../../terminal/cursor-position.ts";
import type { CursorPosition } from "../../terminal/cursor-position.ts";

/** What stands below everything else. */
export interface RegionContent {
  /** Without line feeds; what is longer than the terminal is wide wraps. */
  lines: readonly string[];
  /** Where the cursor is: in which line, and what stands to its left there. Absent: it is hidden. */
  cursor?: { line: number; before: string };
}

/** The stream that a region is drawn on. */
export interface RegionOutput {
  write(text: string): unknown;
  columns: () => number;
  rows: () => number;
}

const HIDE_CURSOR = "\u001B[?25l";
const SHOW_CURSOR = "\u001B[?25h";
const ERASE_ROW = "\u001B[K";
/** From the next row on, and back: what is erased from the top left corner goes into the history of some terminals. */
const ERASE_ROWS_BELOW = "\u001B[B\u001B[J\u001B[A";
const CLEAR_SCREEN = "\u001B[H\u001B[2J";
/** Terminals that know it show what is between the two at once; others ignore it. */
const BEGIN_UPDATE = "\u001B[?2026h";
const END_UPDATE = "\u001B[?2026l";

/**
 * The end of what a terminal shows, which is written over: a prompt with what is typed, or lines about what runs. Other
 * text goes above it; each change is one write, so that nothing is torn.
 *
 * A terminal that becomes narrower wraps what is there anew; that is reckoned with, from the lines as they were drawn.
 */
export class BottomRegion {
  readonly #output: RegionOutput;
  #drawn: RegionContent | undefined;
  #isCursorHidden = false;
  /** The last line above, as long as it has no end. */
  #openLine = "";
  /** Whether the cursor stands below the open line, which fills its row. */
  #isBelowOpenLine = false;

  constructor(output: RegionOutput) {
    this.#output = output;
  }

  /**
   * Writes text above the region, and replaces what is in the region.
   *
   * @param above - Goes on where the text before it has ended.
   */
  render(content: RegionContent | undefined, above = ""): void {
    if (above === "" && isSame(content, this.#drawn)) return;
    this.#write(this.#erase() + this.#follow(above) + this.#draw(content));
  }

  /** As {@link render}, with whole lines above. */
  renderLines(content: RegionContent | undefined, lines: string): void {
    const erase = this.#erase();
    this.#write(erase + this.#startLine() + this.#follow(lines) + this.#draw(content));
  }

  /** Draws what is there once more, as after a change of the size. */
  redraw(content: RegionContent | undefined): void {
    this.#write(this.#erase() + this.#draw(content));
  }

  /** Clears the whole screen, but for the region. */
  clearScreen(content: RegionContent | undefined): void {
    this.#drawn = undefined;
    this.#openLine = "";
    this.#isBelowOpenLine = false;
    this.#write(CLEAR_SCREEN + this.#draw(content));
  }

  /** What has to be written before a text that is to begin a line. */
  #startLine(): string {
    return this.#openLine === "" || this.#isBelowOpenLine ? "" : "\n";
  }

  /** Takes note of a text that is written; gives it as it is. */
  #follow(text: string): string {
    const end = text.lastIndexOf("\n");
    this.#openLine = end === -1 ? this.#openLine + text : text.slice(end + 1);
    if (text !== "") this.#isBelowOpenLine = false;
    return text;
  }

  #write(text: string): void {
    if (text !== "") this.#output.write(text.includes("\u001B") ? BEGIN_UPDATE + text + END_UPDATE : text);
  }

  /** From the cursor in the region to where the text above it goes on. */
  #erase(): string {
    if (this.#drawn === undefined) return "";
    const columns = this.#output.columns();
    const { row } = cursorIn(this.#drawn, columns);
    const below = heightOf(this.#drawn, columns) > 1 ? ERASE_ROWS_BELOW : "";
    this.#drawn = undefined;
    return `\r${up(row)}${ERASE_ROW}${below}${this.#backToOpenLine(columns)}`;
  }

  #backToOpenLine(columns: number): string {
    if (this.#openLine === "") return "";
    const { column } = advanceCursor(this.#openLine, columns);
    // A row that is full goes on in the next one, which is where the region began.
    this.#isBelowOpenLine = column === columns;
    return this.#isBelowOpenLine ? "" : `${up(1)}${right(column)}`;
  }

  #draw(wanted: RegionContent | undefined): string {
    if (wanted === undefined || wanted.lines.length === 0) return this.#switchCursor(true);
    const columns = this.#output.columns();
    const content = withRoomForCursor(fitRows(wanted, columns, this.#output.rows()), columns);
    this.#drawn = content;
    const text = this.#startLine() + content.lines.join("\n");
    if (content.cursor === undefined) return this.#switchCursor(false) + text;
    const cursor = cursorIn(content, columns);
    return `${text}${up(heightOf(content, columns) - 1 - cursor.row)}\r${right(cursor.column)}${this.#switchCursor(true)}`;
  }

  #switchCursor(isShown: boolean): string {
    if (this.#isCursorHidden !== isShown) return "";
    this.#isCursorHidden = !isShown;
    return isShown ? SHOW_CURSOR : HIDE_CURSOR;
  }
}

function heightOf({ lines }: RegionContent, columns: number): number {
  return lines.reduce((rows, line) => rows + countRows(line, columns), 0);
}

function isSame(one: RegionContent | undefined, other: RegionContent | undefined): boolean {
  return (
    one?.lines.join("\n") === other?.lines.join("\n") &&
    one?.cursor?.line === other?.cursor?.line &&
    one?.cursor?.before === other?.cursor?.before
  );
}

/** Where the cursor stands, from the top of the region; without one it is at the end. */
function cursorIn({ lines, cursor }: RegionContent, columns: number): CursorPosition {
  const line = cursor?.line ?? lines.length - 1;
  const above = lines.slice(0, line).reduce((rows, text) => rows + countRows(text, columns), 0);
  const { row, column } = advanceCursor(cursor?.before ?? lines[line] ?? "", columns);
  if (cursor === undefined || column < columns) return { row: above + row, column };
  return { row: above + row + 1, column: 0 };
}

/** A cursor behind a row that is full stands in the next one, which has to be there. */
function withRoomForCursor(content: RegionContent, columns: number): RegionContent {
  const { lines, cursor } = content;
  if (cursor === undefined || lines[cursor.line] !== cursor.before) return content;
  if (advanceCursor(cursor.before, columns).column < columns) return content;
  return { lines: lines.with(cursor.line, `${cursor.before} `), cursor };
}

/** As many rows around the cursor as the screen has: what has left the screen cannot be written over. */
function fitRows(content: RegionContent, columns: number, rows: number): RegionContent {
  const room = Math.max(1, rows - 1);
  const { lines, cursor } = content;
  if (heightOf(content, columns) <= room) return content;
  if (cursor === undefined) return { lines: lines.slice(-room) };
  const heights = lines.map((line) => countRows(line, columns));
  const here = lines[cursor.line] ?? "";
  if ((heights[cursor.line] ?? 0) >= room) {
    const { row } = advanceCursor(cursor.before, columns);
    const start = Math.max(0, row - room + 2);
    const shown = (text: string): string =>
      sliceRows(stripVTControlCharacters(text), columns, [start, start + room - 1]);
    return { lines: [shown(here)], cursor: { line: 0, before: shown(cursor.before) } };
  }
  let [first, last] = [cursor.line, cursor.line];
  let used = heights[cursor.line] ?? 0;
  while (first > 0 && used + (heights[first - 1] ?? 0) <= room) used += heights[--first] ?? 0;
  while (last < lines.length - 1 && used + (heights[last + 1] ?? 0) <= room) used += heights[++last] ?? 0;
  return { lines: lines.slice(first, last + 1), cursor: { line: cursor.line - first, before: cursor.before } };
}

function up(rows: number): string {
  return rows > 0 ? `\u001B[${rows}A` : "";
}

function right(columns: number): string {
  return columns > 0 ? `\u001B[${columns}C` : "";
}
