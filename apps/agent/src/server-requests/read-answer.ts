import { formatCount } from "../terminal/format.ts";
import type { FieldChoice, FieldKind, FieldValue } from "./form-field.ts";
import { findTextProblem } from "./text-checks.ts";

/** What was understood of an answer, or what is wrong with it, in words for the person. */
export type FieldAnswer = { ok: true; value: FieldValue } | { ok: false; problem: string };

type KindOf<Type extends FieldKind["type"]> = Extract<FieldKind, { type: Type }>;

/** Understands what a person typed for a field. */
export function readAnswer(line: string, kind: FieldKind): FieldAnswer {
  switch (kind.type) {
    case "text":
      return checked(line, findTextProblem(line, kind));
    case "number":
      return readNumber(line, kind);
    case "boolean":
      return readBoolean(line);
    case "choice": {
      const choice = findChoice(line, kind.choices);
      return choice === undefined
        ? { ok: false, problem: describeNoChoice(line, kind.choices) }
        : { ok: true, value: choice };
    }
    case "choices":
      return readChoices(line, kind);
    case "json":
      return readJson(line);
    default:
      return kind satisfies never;
  }
}

/** Whether a value that a schema gives as its default would be taken as an answer. */
export function isValidValue(value: unknown, kind: FieldKind): value is FieldValue {
  switch (kind.type) {
    case "text":
      return typeof value === "string" && findTextProblem(value, kind) === undefined;
    case "number":
      return typeof value === "number" && findNumberProblem(value, kind) === undefined;
    case "boolean":
      return typeof value === "boolean";
    case "choice":
      return kind.choices.some((choice) => choice.value === value);
    case "choices":
      return (
        Array.isArray(value) &&
        value.every((item) => kind.choices.some((choice) => choice.value === item)) &&
        findCountProblem(value.length, kind) === undefined
      );
    case "json":
      return true;
    default:
      return kind satisfies never;
  }
}

/**
 * Whether choices can be named by their place in the list: not when the values are numbers themselves, of which one
 * could mean another one's place.
 */
export function areNumbered(choices: readonly FieldChoice[]): boolean {
  return !choices.some(({ value, title }) => /^\d+$/.test(value.trim()) || /^\d+$/.test(title.trim()));
}

function checked(value: FieldValue, problem: string | undefined): FieldAnswer {
  return problem === undefined ? { ok: true, value } : { ok: false, problem };
}

function readNumber(line: string, kind: KindOf<"number">): FieldAnswer {
  // Number() takes "0x10" and "" too, which nobody means.
  const value = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(line.trim()) ? Number(line) : Number.NaN;
  return checked(value, findNumberProblem(value, kind));
}

function findNumberProblem(value: number, { isInteger, minimum, maximum }: KindOf<"number">): string | undefined {
  if (!Number.isFinite(value)) return `It must be a ${isInteger ? "whole number" : "number"}.`;
  if (isInteger && !Number.isInteger(value)) return "It must be a whole number.";
  if (minimum !== undefined && value < minimum) return `It must be at least ${minimum}.`;
  if (maximum !== undefined && value > maximum) return `It must be at most ${maximum}.`;
  return undefined;
}

function readBoolean(line: string): FieldAnswer {
  if (/^(?:y|yes|true)$/i.test(line.trim())) return { ok: true, value: true };
  if (/^(?:n|no|false)$/i.test(line.trim())) return { ok: true, value: false };
  return { ok: false, problem: "It must be y or n." };
}

function readChoices(line: string, kind: KindOf<"choices">): FieldAnswer {
  const words = line
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  const values = new Set<string>();
  for (const word of words) {
    const value = findChoice(word, kind.choices);
    if (value === undefined) return { ok: false, problem: describeNoChoice(word, kind.choices) };
    values.add(value);
  }
  return checked([...values], findCountProblem(values.size, kind));
}

function findCountProblem(count: number, { minItems = 0, maxItems }: KindOf<"choices">): string | undefined {
  if (count < minItems) return `At least ${minItems} must be chosen; this is ${formatCount(count, "choice")}.`;
  if (maxItems !== undefined && count > maxItems) {
    return `At most ${maxItems} may be chosen; these are ${formatCount(count, "choice")}.`;
  }
  return undefined;
}

/** By number, value or title; case counts only where it makes a difference. */
function findChoice(line: string, choices: readonly FieldChoice[]): string | undefined {
  const word = line.trim();
  if (areNumbered(choices) && /^\d+$/.test(word)) return choices[Number(word) - 1]?.value;
  const exact = choices.find(({ value }) => value === word) ?? choices.find(({ title }) => title === word);
  if (exact !== undefined) return exact.value;
  const lower = word.toLowerCase();
  const similar = choices.filter(({ value, title }) => [value, title].some((each) => each.toLowerCase() === lower));
  return similar.length === 1 ? similar[0]?.value : undefined;
}

function describeNoChoice(word: string, choices: readonly FieldChoice[]): string {
  const wanted = areNumbered(choices)
    ? `a number from 1 to ${choices.length}, or one of the values`
    : "one of the values";
  return `${JSON.stringify(word.trim())} is not ${wanted}.`;
}

function readJson(line: string): FieldAnswer {
  try {
    // The server asked for a type that forms do not have; what comes of it is its own affair.
    return { ok: true, value: JSON.parse(line) as FieldValue };
  } catch {
    return { ok: false, problem: 'It must be JSON, such as "text", 12, ["a", "b"] or { "a": 1 }.' };
  }
}
