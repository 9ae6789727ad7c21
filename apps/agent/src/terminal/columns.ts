import { padEnd, padStart, textWidth } from "./text-width.ts";

/** How columns are laid out. */
export interface ColumnOptions {
  /** Put before every line. @default "" */
  indent?: string;
  /** Blanks between columns. @default 2 */
  gap?: number;
  /** Columns, by index, whose texts are flush right. @default none */
  right?: readonly number[];
}

/** Lays rows out in columns that line up; cells may be styled. No line ends with blanks. */
export function alignColumns(rows: readonly (readonly string[])[], options: ColumnOptions = {}): string[] {
  const { indent = "", gap = 2, right = [] } = options;
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, textWidth(cell));
  }
  return rows.map((row) =>
    (
      indent +
      row
        .map((cell, index) => (right.includes(index) ? padStart : padEnd)(cell, widths[index] ?? 0))
        .join(" ".repeat(gap))
    ).trimEnd(),
  );
}
