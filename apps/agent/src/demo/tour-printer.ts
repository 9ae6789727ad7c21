import { writeText } from "../cli/command-line-io.ts";
import { formatDuration } from "../terminal/format.ts";
import { sanitizeLine } from "../terminal/sanitize-text.ts";
import type { Style } from "../terminal/style.ts";
import { padEnd, padStart, truncate } from "../terminal/text-width.ts";
import { wrapText } from "../terminal/wrap-text.ts";

const INDENT = "   ";

/** Writes the tour: numbered headings with a result at the right, and indented lines below them. */
export class TourPrinter {
  readonly style: Style;
  readonly width: number;
  readonly #stream: NodeJS.WritableStream;
  #sections = 0;

  constructor(stream: NodeJS.WritableStream, options: { style: Style; width: number }) {
    this.#stream = stream;
    this.style = options.style;
    this.width = options.width;
  }

  async title(text: string): Promise<void> {
    await this.#write(this.style.bold(text));
  }

  /** Begins the next numbered section. */
  async section(title: string, result = ""): Promise<void> {
    this.#sections += 1;
    const left = `${this.#sections}  ${title}`;
    const gap = Math.max(2, this.width - left.length - result.length);
    await this.#write(`\n${this.style.bold(left)}${" ".repeat(gap)}${this.style.dim(result)}`.trimEnd());
  }

  /** Writes lines as they are, below the current section; longer ones are cut. */
  async lines(lines: readonly string[]): Promise<void> {
    for (const line of lines) await this.#write(truncate(`${INDENT}${line}`, this.width));
  }

  /** Columns of a {@link chart}. */
  get chartWidth(): number {
    return this.width - INDENT.length;
  }

  /** Writes lines that may be styled and fit into {@link chartWidth}. */
  async chart(lines: readonly string[]): Promise<void> {
    for (const line of lines) await this.#write(INDENT + line);
  }

  /** Writes running text, broken at the width. */
  async paragraph(text: string): Promise<void> {
    const paragraphs = text.split("\n").flatMap((line) => wrapText(sanitizeLine(line), this.width - INDENT.length));
    for (const line of paragraphs) await this.#write(`${INDENT}${line}`);
  }

  /** Writes what was done, how long it took, and what came of it. */
  async step(what: string, milliseconds: number, result: string): Promise<void> {
    const left = padEnd(truncate(sanitizeLine(what), 40), 40);
    const duration = padStart(formatDuration(milliseconds), 8);
    await this.lines([`${left} ${duration}   ${sanitizeLine(result)}`]);
  }

  async #write(line: string): Promise<void> {
    await writeText(this.#stream, `${line}\n`);
  }
}
