import type { ToolResult } from "@toolgate/contracts";

import type { ModelToolCall } from "../../session/agent-model.ts";
import { describeRest, foldText } from "../../terminal/fold-text.ts";
import { formatDuration } from "../../terminal/format.ts";
import { sanitizeLine } from "../../terminal/sanitize-text.ts";
import type { Style } from "../../terminal/style.ts";
import { padEnd, textWidth, truncate } from "../../terminal/text-width.ts";
import { wrapStyled } from "../../terminal/wrap-text.ts";
import { describeArguments } from "./describe-arguments.ts";
import { argumentsBesideChange, fileChangeOf } from "./file-change.ts";
import { renderResult, summarizeResult } from "./result-text.ts";

/** How a call is shown. */
export interface CallLayout {
  style: Style;
  width: number;
  /** Whether the line of an ended call repeats what it was called with. @default true */
  withArguments?: boolean;
  /** Whether the result of a call stands below it, or in the answer of the model. @default true */
  withResult?: boolean;
}

/** A call that has ended. */
export interface EndedCall {
  call: ModelToolCall;
  result: ToolResult;
  /** How long it took, for people who waited for it. */
  durationMs: number;
}

/** A call for people. */
export interface RenderedCall {
  text: string;
  /** All of the output, when `text` has only its beginning. */
  whole?: string;
}

const INDENT = "  ";
const RESULT_LINES = 5;
const ERROR_LINES = 10;
const NARROWEST_ARGUMENTS = 8;

/** `● name key=value …`: a call that begins. */
export function renderCallStart(call: ModelToolCall, { style, width }: CallLayout): string {
  return `${style.good("●")} ${describeCall(call, width - 2, style)}`;
}

/** `✗ name key=value …  1.2 s  interrupted`: a call whose turn was left. */
export function renderInterruptedCall(ended: Omit<EndedCall, "result">, layout: CallLayout): string {
  return renderHead({ ...ended, sign: layout.style.bad("✗"), outcome: "interrupted" }, layout);
}

/** `● name key=value …  1.2 s  8 results` and the beginning of the output below; `✗` and the error for one that failed. */
export function renderEndedCall(ended: EndedCall, layout: CallLayout): RenderedCall {
  const { call, result, durationMs } = ended;
  const { style, width, withResult = true } = layout;
  const sign = result.isError ? style.bad("✗") : style.good("●");
  const head = renderHead({ call, sign, durationMs, outcome: summarizeResult(call, result) }, layout);
  if (!withResult) return { text: head };
  const room = width - INDENT.length;
  const change = result.isError || result.details.server !== undefined ? undefined : fileChangeOf(call);
  const output = change?.join("\n") ?? renderResult(result);
  const shown = result.isError ? wrapStyled(output.trimEnd(), room).join("\n") : output;
  const { lines, hidden, isCut } = foldText(shown, {
    lines: result.isError ? ERROR_LINES : RESULT_LINES,
    width: room,
  });
  const isFolded = hidden > 0 || isCut;
  const body = [
    ...lines.map((line) => styleLine(line, change !== undefined, style)),
    ...(isFolded ? [style.dim(describeRest(hidden))] : []),
  ];
  const text = [head, ...body.map((line) => (line === "" ? "" : INDENT + line))].join("\n");
  if (!isFolded) return { text };
  return { text, whole: `${describeCall(call, width, style)}\n${output}` };
}

interface Head {
  call: ModelToolCall;
  sign: string;
  durationMs: number;
  outcome: string;
}

function renderHead({ call, sign, durationMs, outcome }: Head, layout: CallLayout): string {
  const { style, width, withArguments = true } = layout;
  const right = truncate(`${formatDuration(durationMs)}  ${outcome}`, Math.max(0, width - NARROWEST_ARGUMENTS - 4));
  if (!withArguments) return `${sign} ${style.bold(sanitizeLine(call.name))}  ${style.dim(right)}`;
  const room = width - 2 - INDENT.length - textWidth(right);
  return `${sign} ${padEnd(describeCall(call, room, style), room)}${INDENT}${style.dim(right)}`;
}

function describeCall(call: ModelToolCall, width: number, style: Style): string {
  const name = truncate(sanitizeLine(call.name), width);
  const args = describeArguments(argumentsBesideChange(call), width - textWidth(name) - 1);
  return args === "" ? style.bold(name) : `${style.bold(name)} ${args}`;
}

function styleLine(line: string, isChange: boolean, style: Style): string {
  if (!isChange) return style.dim(line);
  return line.startsWith("-") ? style.bad(line) : style.good(line);
}
