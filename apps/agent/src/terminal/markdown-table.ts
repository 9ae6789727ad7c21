import type { Tokens } from "marked";

import { renderInline } from "./markdown-inline.ts";
import type { Style } from "./style.ts";
import { padEnd, padStart, textWidth, widestOf } from "./text-width.ts";
import { wrapStyled } from "./wrap-text.ts";

const GAP = "  ";
/** A column that is narrower than this breaks words in pieces that nobody reads. */
const NARROWEST = 6;

/** A table in columns, shrunk to the width; one that has more columns than that allows becomes a list of its rows. */
export function renderTable(table: Tokens.Table, { style, width }: { style: Style; width: number }): string[] {
  const header = table.header.map((cell) => style.bold(renderInline(cell.tokens, style)));
  const rows = table.rows.map((row) => row.map((cell) => renderInline(cell.tokens, style)));
  const wanted = header.map((cell, index) => Math.max(1, widthOf([cell, ...rows.map((row) => row[index] ?? "")])));
  const widths = shrink(wanted, width - GAP.length * (wanted.length - 1));
  if (widths === undefined) return renderRecords(header, rows, width);
  const layOut = (cells: readonly string[]): string[] => layOutRow(cells, widths, table.align);
  return [
    ...layOut(header),
    style.dim(widths.map((columns) => "─".repeat(columns)).join(GAP)),
    ...rows.flatMap((row) => layOut(row)),
  ];
}

/** Takes columns from the widest until all fit; undefined when some would be too narrow. */
function shrink(wanted: readonly number[], available: number): number[] | undefined {
  const floors = wanted.map((columns) => Math.min(columns, NARROWEST));
  if (floors.reduce((sum, columns) => sum + columns, 0) > available) return undefined;
  // The highest limit under which they fit, each narrower column as it is.
  let [low, high] = [NARROWEST, Math.max(NARROWEST, ...wanted)];
  const total = (limit: number): number => wanted.reduce((sum, columns) => sum + Math.min(columns, limit), 0);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (total(middle) <= available) low = middle;
    else high = middle - 1;
  }
  return wanted.map((columns) => Math.min(columns, low));
}

function layOutRow(cells: readonly string[], widths: readonly number[], align: Tokens.Table["align"]): string[] {
  const columns = widths.map((width, index) => wrapStyled(cells[index] ?? "", width));
  const height = Math.max(...columns.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    columns
      .map((lines, index) => place(lines[line] ?? "", widths[index] ?? 0, align[index]))
      .join(GAP)
      .trimEnd(),
  );
}

function place(text: string, width: number, align: "left" | "right" | "center" | null | undefined): string {
  if (align === "right") return padStart(text, width);
  if (align !== "center") return padEnd(text, width);
  const left = Math.floor(Math.max(0, width - textWidth(text)) / 2);
  return padEnd(" ".repeat(left) + text, width);
}

function renderRecords(header: readonly string[], rows: readonly (readonly string[])[], width: number): string[] {
  return rows.flatMap((row, number) => [
    ...(number === 0 ? [] : [""]),
    ...row.flatMap((cell, index) => wrapStyled(`${header[index] ?? ""}: ${cell}`, width)),
  ]);
}

function widthOf(cells: readonly string[]): number {
  return widestOf(cells.flatMap((cell) => cell.split("\n")));
}
