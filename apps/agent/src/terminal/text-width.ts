import { stripVTControlCharacters } from "node:util";

import { eastAsianWidth } from "get-east-asian-width";

/** Texts of which each code unit takes one column: ASCII, Latin letters and the punctuation that the app itself uses. */
const ONE_COLUMN_EACH = /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e]*$/;

let segmenter: Intl.Segmenter | undefined;

/** What people see as single characters of a text. */
export function* graphemesOf(text: string): Generator<string> {
  // Made when it is needed: it takes long, and a start does without it.
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  for (const { segment } of segmenter.segment(text)) yield segment;
}

/** How many columns a text takes in a terminal: escape sequences none, wide characters and emoji two. */
export function textWidth(text: string): number {
  if (isOneColumnEach(text)) return text.length;
  let width = 0;
  for (const grapheme of graphemesOf(stripVTControlCharacters(text))) width += graphemeWidth(grapheme);
  return width;
}

/** Whether each code unit of a text certainly takes one column. */
export function isOneColumnEach(text: string): boolean {
  return ONE_COLUMN_EACH.test(text);
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
  for (const grapheme of graphemesOf(text)) {
    used += graphemeWidth(grapheme);
    if (used > width - 1) break;
    cut += grapheme;
  }
  return width > 0 ? `${cut}…` : "";
}

/** Replaces tabs by blanks: how wide they are depends on where they stand. */
export function expandTabs(text: string): string {
  return text.replaceAll("\t", "    ");
}

function graphemeWidth(grapheme: string): number {
  // Controls, marks that combine and the like stand in no column of their own.
  if (/^[\p{Control}\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u.test(grapheme)) return 0;
  if (/\p{Emoji_Presentation}|\p{Emoji}\uFE0F/u.test(grapheme)) return 2;
  return eastAsianWidth(grapheme.codePointAt(0) ?? 0);
}
