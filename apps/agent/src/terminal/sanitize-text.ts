import { stripVTControlCharacters } from "node:util";

/** C0 without tab and line feed, DEL, C1, and what reorders the text around it or cannot be seen. */
export const UNSAFE_CHARACTERS: RegExp =
  // oxlint-disable-next-line no-control-regex -- these characters are what this is about
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;
// An operating system command with all that it carries, also one that its sender never ended on this line.
const STRING_SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- as above
  /(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?/g;

/**
 * Makes a text of somebody else safe to print: servers, their tools and their configuration must not move the cursor,
 * set the title, fill the clipboard or turn the line around. Tabs and line feeds stay.
 */
export function sanitizeText(text: string): string {
  const unified = text.replace(/\r\n|[\u2028\u2029]/g, "\n");
  return stripVTControlCharacters(unified.replace(STRING_SEQUENCE, "")).replace(UNSAFE_CHARACTERS, "");
}

/** As {@link sanitizeText}, on one line: line feeds, tabs and runs of blanks become one blank. */
export function sanitizeLine(text: string): string {
  return sanitizeText(text).replace(/\s+/g, " ").trim();
}
