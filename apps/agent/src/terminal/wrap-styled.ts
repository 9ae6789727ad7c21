import wrapAnsi from "wrap-ansi";

/** Breaks styled text into lines of at most a width; a word that is longer is broken too. */
export function wrapStyled(text: string, width: number): string[] {
  // Most texts need no look at each of their characters.
  if (text.length <= width && /^[!-~](?:[ -~]*[!-~])?$/.test(text)) return [text];
  return wrapAnsi(text, Math.max(1, width), { hard: true }).split("\n");
}
