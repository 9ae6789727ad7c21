import { formatCount } from "../terminal/format.ts";
import { sanitizeLine, sanitizeText } from "../terminal/sanitize-text.ts";
import { wrapStyled } from "../terminal/wrap-text.ts";

/** Lines of one text of a server that a person is shown. */
const MAX_LINES = 20;
/** Characters of one line. */
const MAX_LINE_LENGTH = 400;
/** Characters of a title, a name or a value within one line. */
const MAX_LABEL_LENGTH = 80;

const BAR = "  │ ";

/** Where a server's words are shown. */
export interface QuoteLayout {
  /** Columns: a line that the terminal breaks would go on without its bar. */
  width: number;
  /** @default 20 */
  maxLines?: number;
}

/**
 * A server's own words, so that nobody takes them for the app's: each line behind a bar, what is too long folded and
 * counted.
 */
export function quoteServer(text: string, { width, maxLines = MAX_LINES }: QuoteLayout): string {
  const lines = sanitizeText(text).trim().split("\n");
  const shown = lines
    .slice(0, maxLines)
    .flatMap((line) => wrapStyled(cut(line, MAX_LINE_LENGTH), width - BAR.length))
    .map((line) => (BAR + line).trimEnd());
  const rest = lines.length - maxLines;
  return [...shown, ...(rest > 0 ? [`  … ${formatCount(rest, "more line")}`] : [])].join("\n");
}

/** A short text of a server on one line: a name, a title, a value. */
export function labelOf(text: string): string {
  return cut(sanitizeLine(text), MAX_LABEL_LENGTH);
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}… (${text.length - length} more characters)` : text;
}
