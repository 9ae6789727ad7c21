import { formatCount } from "../terminal/format.ts";
import type { FieldKind, FieldValue, FormField } from "./form-field.ts";
import { areNumbered } from "./read-answer.ts";
import { labelOf, quoteServer } from "./server-words.ts";
import { describeFormat } from "./text-checks.ts";

/** Choices of one field that are listed; the others can be answered by value. */
const MAX_LISTED = 40;
/** Choices of one value that are named. */
const MAX_NAMED = 20;
/** Lines of a field's description. */
const MAX_DESCRIPTION_LINES = 6;

/** What the person is asked with beside the field itself. */
export interface FieldQuestion {
  /** Its place in the form, from 1. */
  position: number;
  /** Fields of the form in all. */
  count: number;
  /** What Enter gives; absent when there is nothing. */
  preset?: FieldValue;
  /** Whether what is typed, and the preset, stay unseen. */
  isSecret: boolean;
  /** Columns of the terminal. */
  width: number;
}

/** The question for one field: its title, description and choices as the server words them, and what Enter does. */
export function describeField(field: FormField, question: FieldQuestion): string {
  const { title, description, kind, isRequired } = field;
  const choices = kind.type === "choice" || kind.type === "choices" ? listChoices(kind.choices) : [];
  return [
    `(${question.position}/${question.count}) ${labelOf(title)}${isRequired ? "" : ", optional"}`,
    ...(description === undefined
      ? []
      : [quoteServer(description, { width: question.width, maxLines: MAX_DESCRIPTION_LINES })]),
    ...choices,
    `  ${describeKind(kind)}${describeEnter(field, question)}: `,
  ].join("\n");
}

/** A value of a field for people. */
export function describeValue(value: FieldValue, kind: FieldKind): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (kind.type === "choice") return titleOf(value, kind.choices);
  if (kind.type === "choices" && Array.isArray(value)) {
    const named = value.slice(0, MAX_NAMED).map((item) => titleOf(item, kind.choices));
    const rest = value.length - named.length;
    return value.length === 0 ? "none" : [...named, ...(rest > 0 ? [`… and ${rest} more`] : [])].join(", ");
  }
  return labelOf(typeof value === "string" ? value : JSON.stringify(value));
}

type Choices = Extract<FieldKind, { type: "choice" }>["choices"];

function listChoices(choices: Choices): string[] {
  const isNumbered = areNumbered(choices);
  const lines = choices.slice(0, MAX_LISTED).map(({ value, title }, index) => {
    const shown = title === value ? labelOf(value) : `${labelOf(title)} (${labelOf(value)})`;
    return `  ${isNumbered ? `${String(index + 1).padStart(2)}.` : " -"} ${shown}`;
  });
  const rest = choices.length - lines.length;
  return rest > 0 ? [...lines, `  … ${formatCount(rest, "more choice")}`] : lines;
}

function titleOf(value: FieldValue, choices: Choices): string {
  return labelOf(choices.find((choice) => choice.value === value)?.title ?? String(value));
}

function describeKind(kind: FieldKind): string {
  switch (kind.type) {
    case "text":
      return describeText(kind);
    case "number":
      return `${kind.isInteger ? "whole number" : "number"}${rangeOf(kind.minimum, kind.maximum)}`;
    case "boolean":
      return "y or n";
    case "choice":
      return areNumbered(kind.choices) ? "number or value" : "value";
    case "choices":
      return `${areNumbered(kind.choices) ? "numbers or values" : "values"} with commas between them${rangeOf(kind.minItems, kind.maxItems)}`;
    case "json":
      return "JSON";
    default:
      return kind satisfies never;
  }
}

function describeText({ minLength, maxLength, format }: Extract<FieldKind, { type: "text" }>): string {
  const known = format === undefined ? undefined : describeFormat(format);
  const length = rangeOf(minLength, maxLength);
  return `${known ?? "text"}${length === "" ? "" : `${length} characters`}`;
}

function rangeOf(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `, at least ${minimum}`;
  return maximum === undefined ? "" : `, at most ${maximum}`;
}

function describeEnter({ kind, isRequired }: FormField, { preset, isSecret }: FieldQuestion): string {
  if (preset === undefined) return isRequired ? "" : " [Enter leaves it out]";
  const shown = isSecret ? "Enter keeps it" : describeValue(preset, kind);
  return ` [${shown}${isRequired ? "" : '; "-" leaves it out'}]`;
}
