import type { AgentTool } from "@toolgate/contracts";

import { formatCount } from "../terminal/format.ts";
import { sanitizeLine, sanitizeText } from "../terminal/sanitize-text.ts";

/** Characters of one argument that a person is shown. */
const MAX_CHARACTERS = 4000;
const MAX_LINES = 30;
/** Characters of an argument's name. */
const MAX_NAME = 80;
/** Arguments that are shown, so that the name of the tool stays in sight. */
const MAX_ARGUMENTS = 30;

/** What a person answered. */
export type ApprovalAnswer = { answer: "once" | "always" } | { answer: "no"; reason?: string };

/** What a person is asked before a tool runs. */
export function describeQuestion(tool: AgentTool, args: Record<string, unknown>): string {
  const entries = Object.entries(args);
  const shown = entries
    .slice(0, MAX_ARGUMENTS)
    .map(([name, value]) => `  ${describeName(name)}: ${describeValue(value)}`);
  const rest = entries.length - shown.length;
  const hint = tool.annotations?.readOnlyHint === true ? " (says that it only reads)" : "";
  return [
    `${sanitizeLine(tool.name)} wants to run${hint}`,
    ...shown,
    ...(rest > 0 ? [`  … (${formatCount(rest, "more argument")})`] : []),
    "Run it? [y] once, [a] always for this tool in this project, [n] no, or why not: ",
  ].join("\n");
}

function describeName(name: string): string {
  const line = sanitizeLine(name);
  return line.length <= MAX_NAME ? line : `${line.slice(0, MAX_NAME)}… (${line.length - MAX_NAME} more characters)`;
}

/** All lines but the first are indented, so that none can be taken for the question; what is cut off is counted. */
function describeValue(value: unknown): string {
  const text = sanitizeText(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
  const shown = text.slice(0, MAX_CHARACTERS).split("\n").slice(0, MAX_LINES).join("\n");
  const rest = text.length - shown.length;
  return `${shown.replaceAll("\n", "\n    ")}${rest > 0 ? `… (${rest} more characters)` : ""}`;
}

/** Understands an answer: everything but a clear yes is no, and what is more than "no" is the reason. */
export function parseApproval(line: string): ApprovalAnswer {
  const text = line.trim();
  if (/^(?:y|yes|once)$/i.test(text)) return { answer: "once" };
  if (/^(?:a|always)$/i.test(text)) return { answer: "always" };
  const reason = text.replace(/^(?:n|no)(?:[\s,;:.-]+|$)/i, "").trim();
  return { answer: "no", ...(reason === "" ? {} : { reason }) };
}
