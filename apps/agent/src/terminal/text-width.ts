import { stripVTControlCharacters } from "node:util";

import { eastAsianWidth } from "get-east-asian-width";

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** How many columns a text takes in a terminal: escape sequences none, wide characters and emoji two. */
export function textWidth(text: string): number {
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(stripVTControlCharacters(text))) width += graphemeWidth(segment);
  return width;
}

/** The width of the widest of texts, however many these are; 0 for none. */
export function widestOf(texts: readonly string[]): number {
  return texts.reduce((widest, text) => Math.max(widest, textWidth(text)), 0);
}

/** Fills a text up with blanks; one that is wider already stays as it is. */
export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

/** As {@link padEnd}, with the blanks in front. */
export function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - textWidth(text))) + text;
}

/** Cuts a plain text, without escape sequences, to a width; what was cut is marked by `…`. */
export function truncate(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let cut = "";
  let used = 0;
  for (const { segment } of segmenter.segment(text)) {
    used += graphemeWidth(segment);
    if (used > width - 1) break;
    cut += segment;
  }
  return width > 0 ? `${cut}…` : "";
}

/** Breaks a plain text at blanks into lines of at most a width; a longer word is not broken. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter((part) => part !== "")) {
    if (line === "") line = word;
    else if (textWidth(line) + 1 + textWidth(word) <= width) line += ` ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  }
  return line === "" ? lines : [...lines, line];
}

function graphemeWidth(grapheme: string): number {
  // Controls, marks that combine and the like stand in no column of their own.
  if (/^[\p{Control}\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u.test(grapheme)) return 0;
  if (/\p{Emoji_Presentation}|\p{Emoji}\uFE0F/u.test(grapheme)) return 2;
  return eastAsianWidth(grapheme.codePointAt(0) ?? 0);
}
