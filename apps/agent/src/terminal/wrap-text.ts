import wrapAnsi from "wrap-ansi";

/** Breaks a text, styled or not, into lines of at most a width; a word that is longer is broken too. */
export function wrapStyled(text: string, width: number): string[] {
  // Most texts need no look at each of their characters.
  if (text.length <= width && /^[!-~](?:[ -~]*[!-~])?$/.test(text)) return [text];
  return wrapAnsi(text, Math.max(1, width), { hard: true }).split("\n");
}

/** As {@link wrapStyled}, but a longer word, an address for example, stays whole; an empty text has no lines. */
export function wrapText(text: string, width: number): string[] {
  return text === "" ? [] : wrapAnsi(text, Math.max(1, width)).split("\n");
}

/** As much of a line, styled or not, as a row has room for. */
export function cutLine(line: string, columns: number): string {
  return wrapAnsi(line, columns, { hard: true, trim: false, wordWrap: false }).split("\n", 1)[0] ?? "";
}
