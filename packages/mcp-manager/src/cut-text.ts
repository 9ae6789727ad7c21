/** Longer than what people write as one character, a family emoji included. */
const LONGEST_CHARACTER = 64;

/**
 * The beginning of a text that takes at most so many bytes in UTF-8. What a person sees as one character is kept whole: a
 * surrogate pair, a letter with its combining marks, an emoji of several parts.
 *
 * @param bytes - `0` and less gives the empty text.
 */
export function cutText(text: string, bytes: number): string {
  // One code unit takes three bytes at most.
  if (text.length * 3 <= bytes) return text;
  if (bytes <= 0) return "";
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  if (read === text.length) return text;
  return text.slice(0, findBoundary(text, read));
}

/**
 * The beginning of a text that has at most so many UTF-16 code units, cut like {@link cutText}.
 *
 * @param characters - `0` and less gives the empty text.
 */
export function cutCharacters(text: string, characters: number): string {
  if (text.length <= characters) return text;
  if (characters <= 0) return "";
  // The second half of a surrogate pair begins nothing.
  const index = /[\uDC00-\uDFFF]/.test(text.charAt(characters)) ? characters - 1 : characters;
  return text.slice(0, findBoundary(text, index));
}

/** How many bytes a text takes in UTF-8. */
export function countBytes(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

function findBoundary(text: string, index: number): number {
  const begin = Math.max(0, index - LONGEST_CHARACTER);
  // Made when it is needed: a start does without it.
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const character = segmenter.segment(text.slice(begin, index + LONGEST_CHARACTER)).containing(index - begin);
  // Something longer is no character that anybody reads: it is cut between code points.
  if (character === undefined || (character.index === 0 && begin > 0)) return index;
  return begin + character.index;
}
