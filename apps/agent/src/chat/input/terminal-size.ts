const DEFAULT_COLUMNS = 100;
const DEFAULT_ROWS = 24;

/** Columns of a terminal at the moment; 100 where nobody knows, as in a pipe. */
export function columnsOf({ columns }: Pick<NodeJS.WriteStream, "columns">): number {
  // Some terminals say that they have none.
  return columns || DEFAULT_COLUMNS;
}

/** Rows of a terminal at the moment; 24 where nobody knows. */
export function rowsOf({ rows }: Pick<NodeJS.WriteStream, "rows">): number {
  return rows || DEFAULT_ROWS;
}
