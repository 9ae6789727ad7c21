import { runInNewContext } from "node:vm";

import type { FieldKind } from "./form-field.ts";
import { labelOf } from "./server-words.ts";

/** A pattern that takes longer on what somebody typed is one that never ends. */
const PATTERN_TIMEOUT_MS = 50;
/** Characters of a pattern; reading one cannot be broken off. */
const MAX_PATTERN = 1000;

/** What is wrong with a text, in words for the person; undefined when it may be sent. */
export function findTextProblem(text: string, kind: Extract<FieldKind, { type: "text" }>): string | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = kind;
  // As JSON Schema counts.
  const { length } = Array.from(text);
  if (length < minLength) return `It must have at least ${minLength} characters; this has ${length}.`;
  if (length > maxLength) return `It must have at most ${maxLength} characters; this has ${length}.`;
  const wanted = format === undefined ? undefined : FORMATS.get(format);
  if (wanted !== undefined && !wanted.accepts(text)) return `It must be ${wanted.description}.`;
  if (pattern !== undefined && !matchesPattern(text, pattern)) return `It must match the pattern ${labelOf(pattern)}`;
  return undefined;
}

/** What an answer of a format looks like; undefined for a format that is not known, and not checked. */
export function describeFormat(format: string): string | undefined {
  return FORMATS.get(format)?.description;
}

interface Format {
  description: string;
  accepts: (text: string) => boolean;
}

const FORMATS = new Map<string, Format>([
  ["email", { description: "an email address", accepts: (text) => /^[^\s@]+@[^\s@]+$/.test(text) }],
  ["uri", { description: "an address such as https://example.com", accepts: (text) => URL.canParse(text) }],
  ["date", { description: "a date such as 2026-07-28", accepts: isDate }],
  ["date-time", { description: "a date with time and zone such as 2026-07-28T12:00:00Z", accepts: isDateTime }],
]);

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  // What the calendar does not have becomes a day of the next month.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function isDateTime(text: string): boolean {
  const [, date = "", time = ""] =
    /^([\d-]+)[Tt ](\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2}))$/.exec(text) ?? [];
  return isDate(date) && !Number.isNaN(Date.parse(`${date}T${time}`.toUpperCase()));
}

/**
 * Whether a text matches the pattern of a server. One that is no pattern here, or does not come to an end, is left to the
 * server to check: it must not hang the chat.
 */
function matchesPattern(text: string, pattern: string): boolean {
  if (pattern.length > MAX_PATTERN) return true;
  try {
    return (
      runInNewContext("new RegExp(pattern, 'u').test(text)", { pattern, text }, { timeout: PATTERN_TIMEOUT_MS }) ===
      true
    );
  } catch {
    return true;
  }
}
