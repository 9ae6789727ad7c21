import type { Token, Tokens } from "marked";

import { lexMarkdown } from "./lex-markdown.ts";
import { renderCodeLanguage, renderCodeLine, renderTokens } from "./render-markdown.ts";
import { sanitizeText } from "./sanitize-text.ts";
import type { Style } from "./style.ts";
import { wrapStyled } from "./wrap-text.ts";

/** Where a text that is still growing goes. */
export interface MarkdownStreamOptions {
  style: Style;
  /** Columns at the moment. */
  width: () => number;
  /** Takes lines that stay as they are. A text that begins with a line feed begins with an empty line. */
  print: (lines: string) => void;
}

const FENCE = /^(`{3,}|~{3,})/;
const HEADING = /^#{1,6}(?:\s|$)/;
const LIST_MARKER = /^(?:([-+*])|\d{1,9}[.)])(?:\s|$)/;
const ENDED_BY_EMPTY_LINE = new Set(["paragraph", "heading", "table", "blockquote", "hr"]);
/** A look at the open blocks that found no end is repeated when there is this much more text, or twice as much. */
const SHORTEST_GROWTH = 256;

/**
 * Renders Markdown that comes in pieces. A block is printed once, when nothing can change it any more, and the lines of
 * fenced code one by one; put together, what is printed is what `renderMarkdown` makes of the whole text.
 *
 * The text is taken apart only where a block may have ended, and only the part that is not printed yet, so that the work
 * grows with the length of the text however small its pieces are.
 */
export class MarkdownStream {
  readonly #options: MarkdownStreamOptions;
  /** The beginning of a line. */
  #line = "";
  /** Whole lines that are not printed yet; they begin with a block. */
  #open = "";
  /** What the open lines begin with, when that is an item of a list. */
  #listMarker: RegExpExecArray | null = null;
  /** Whether the open lines begin with a blank. */
  #isIndented = false;
  #isBehindEmptyLine = false;
  /** Length of the open lines below which no further look is taken at them. */
  #nextLook = 0;
  /** The end of the fenced code whose lines are being printed. */
  #fenceEnd: RegExp | undefined;
  /** Line feeds before the next line of code: empty lines at the end of code are not shown. */
  #lineFeeds = "";
  #hasPrinted = false;

  constructor(options: MarkdownStreamOptions) {
    this.#options = options;
  }

  write(piece: string): void {
    const [first = "", ...others] = piece.split("\n");
    this.#line += first;
    for (const next of others) {
      const line = this.#line;
      // What is printed is no longer part of the preview, also while it is printed.
      this.#line = next;
      this.#addLine(sanitizeText(line));
    }
  }

  /** Prints what is left. Further pieces are a text of their own. */
  end(): void {
    const line = this.#line;
    this.#line = "";
    if (line !== "") this.#addLine(sanitizeText(line));
    const blocks = lexMarkdown(this.#open);
    this.#begin("");
    this.#printBlocks(blocks);
    this.#fenceEnd = undefined;
    this.#hasPrinted = false;
  }

  /** The last lines, at most so many, of what is not printed yet; as they were written. */
  preview(count: number): string[] {
    const width = this.#options.width();
    const end = (this.#open + this.#line).slice(-2 * width * count);
    const text = sanitizeText(end).replaceAll("\t", " ").trimEnd();
    if (text.trim() === "") return [];
    return text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .flatMap((line) => wrapStyled(line, width))
      .slice(-count)
      .map((line) => this.#options.style.dim(line));
  }

  #addLine(line: string): void {
    if (this.#fenceEnd !== undefined) return this.#addCode(line, this.#fenceEnd);
    const isEmpty = line.trim() === "";
    if (this.#open === "") {
      if (!isEmpty) this.#beginBlock(line);
      return;
    }
    if (isEmpty ? this.#mayEnd() && this.#printEnded() : this.#mayBegin(line) && this.#printUpTo(line)) return;
    this.#open += `${line}\n`;
    this.#isBehindEmptyLine = isEmpty;
  }

  /** Whether it is worth looking whether an empty line ends the open blocks. */
  #mayEnd(): boolean {
    if (this.#isBehindEmptyLine || this.#open.length < this.#nextLook) return false;
    // Indented code and lists may go on behind it.
    return this.#listMarker === null && !this.#isIndented;
  }

  /** Prints the open blocks when they end with the line, whatever follows. */
  #printEnded(): boolean {
    const tokens = lexMarkdown(this.#open);
    if (!ENDED_BY_EMPTY_LINE.has(tokens.at(-1)?.type ?? "")) {
      this.#lookLater();
      return false;
    }
    this.#begin("");
    this.#printBlocks(tokens);
    return true;
  }

  /** Whether it is worth looking whether a line begins a block. */
  #mayBegin(line: string): boolean {
    if (/^\s/.test(line) || this.#open.length < this.#nextLook) return false;
    if (HEADING.test(line) || FENCE.test(line)) return true;
    return this.#isBehindEmptyLine && !this.#continuesList(line);
  }

  #continuesList(line: string): boolean {
    const marker = LIST_MARKER.exec(line);
    return this.#listMarker !== null && marker !== null && this.#listMarker[1] === marker[1];
  }

  /** Prints the open blocks when a line begins a block of its own. */
  #printUpTo(line: string): boolean {
    const tokens = lexMarkdown(`${this.#open}${line}\n`);
    let offset = 0;
    for (const [index, token] of tokens.entries()) {
      if (offset === this.#open.length) {
        this.#begin("");
        this.#printBlocks(tokens.slice(0, index));
        this.#beginBlock(line);
        return true;
      }
      offset += token.raw.length;
    }
    this.#lookLater();
    return false;
  }

  #lookLater(): void {
    this.#nextLook = this.#open.length + Math.max(SHORTEST_GROWTH, this.#open.length);
  }

  #beginBlock(line: string): void {
    this.#begin(`${line}\n`);
    if (HEADING.test(line)) {
      this.#printEnded();
      return;
    }
    const [, fence] = FENCE.exec(line) ?? [];
    if (fence === undefined) return;
    const [code] = lexMarkdown(this.#open);
    // Back-ticks further on in the line make it a line of text.
    if (code?.type !== "code") return;
    this.#begin("");
    this.#fenceEnd = new RegExp(`^ {0,3}${fence}[~\`]* *$`);
    this.#lineFeeds = "";
    const [language] = renderCodeLanguage((code as Tokens.Code).lang, this.#options.style);
    if (language === undefined) this.#lineFeeds = this.#hasPrinted ? "\n" : "";
    else this.#printBlock(language);
  }

  #addCode(line: string, end: RegExp): void {
    if (end.test(line)) {
      this.#fenceEnd = undefined;
      return;
    }
    const code = renderCodeLine(line);
    if (code === "") {
      this.#lineFeeds += "\n";
      return;
    }
    this.#options.print(this.#lineFeeds + code);
    this.#lineFeeds = "";
    this.#hasPrinted = true;
  }

  #begin(open: string): void {
    this.#open = open;
    this.#listMarker = LIST_MARKER.exec(open);
    this.#isIndented = /^\s/.test(open);
    this.#nextLook = 0;
    this.#isBehindEmptyLine = false;
  }

  #printBlocks(tokens: readonly Token[]): void {
    const { style, width } = this.#options;
    this.#printBlock(renderTokens(tokens, { style, width: width() }));
  }

  #printBlock(text: string): void {
    if (text === "") return;
    this.#options.print(this.#hasPrinted ? `\n${text}` : text);
    this.#hasPrinted = true;
  }
}
