import { sanitizeLine } from "../../terminal/sanitize-text.ts";
import { truncate } from "../../terminal/text-width.ts";

const LONGEST_VALUE = 60;

/** Arguments of a call on one line, `key=value …`, as far as the width goes. */
export function describeArguments(args: Readonly<Record<string, unknown>>, width: number): string {
  const pairs = Object.entries(args).map(([key, value]) => `${key}=${describeValue(value)}`);
  return truncate(sanitizeLine(pairs.join(" ")), Math.max(0, width));
}

function describeValue(value: unknown): string {
  const isWord = typeof value === "string" && /^[^\s"'=]+$/.test(value);
  return truncate(sanitizeLine(isWord ? value : (JSON.stringify(value) ?? "")), LONGEST_VALUE);
}
