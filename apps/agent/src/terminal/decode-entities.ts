import { sanitizeText } from "./sanitize-text.ts";

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  copy: "©",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  rarr: "→",
  larr: "←",
  times: "×",
};
const LAST_CODE_POINT = 0x10ffff;

/**
 * Replaces the character references that occur in prose; others stay as they are. The result is safe to print, also
 * where a parser has replaced some references before.
 */
export function decodeEntities(text: string): string {
  return sanitizeText(text.replaceAll(/&(#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-z]+);/g, decodeEntity));
}

function decodeEntity(whole: string, name: string): string {
  if (!name.startsWith("#")) return NAMED[name] ?? whole;
  const codePoint = Number(name.slice(1).replace(/^[xX]/, "0x"));
  return codePoint > 0 && codePoint <= LAST_CODE_POINT ? String.fromCodePoint(codePoint) : "\ufffd";
}
