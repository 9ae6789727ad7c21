import wrapAnsi from "wrap-ansi";

/** How words are treated that are longer than a line. */
export interface WrapOptions {
  /** `false` leaves them whole: the terminal breaks them, and what is copied there has no line feed in it. @default true */
  breaksWords?: boolean;
}

/** Breaks styled text into lines of at most a width. */
export function wrapStyled(text: string, width: number, { breaksWords = true }: WrapOptions = {}): string[] {
  // Most texts need no look at each of their characters.
  if (text.length <= width && /^[!-~](?:[ -~]*[!-~])?$/.test(text)) return [text];
  return wrapAnsi(text, Math.max(1, width), { hard: breaksWords }).split("\n");
}
