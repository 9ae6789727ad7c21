import { UNSAFE_CHARACTERS } from "./sanitize-text.ts";

/**
 * JSON on one line that can be shown on a terminal: what a terminal obeys, also beyond ASCII, and what turns lines around
 * is escaped. For a parser it is the same.
 */
export function toPrintableJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE_CHARACTERS, escapeCodeUnits);
}

function escapeCodeUnits(text: string): string {
  return text
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
