import type { AgentTool } from "@toolgate/contracts";

import { sanitizeLine } from "../terminal/sanitize-text.ts";
import { truncate } from "../terminal/text-width.ts";

/** Characters of the arguments that a person is shown. */
const MAX_CHARACTERS = 1000;

/** What a person answered. */
export type ApprovalAnswer = { answer: "once" | "always" } | { answer: "no"; reason?: string };

/** What a person is asked before a tool runs. */
export function describeQuestion(tool: AgentTool, args: Record<string, unknown>): string {
  const shown = Object.entries(args).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `  ${sanitizeLine(name)}: ${truncate(sanitizeLine(text), MAX_CHARACTERS)}`;
  });
  const hint = tool.annotations?.readOnlyHint === true ? " (says that it only reads)" : "";
  return [
    `${sanitizeLine(tool.name)} wants to run${hint}`,
    ...shown,
    "Run it? [y] once, [a] always in this project, [n] no, or why not: ",
  ].join("\n");
}

/** Understands an answer: everything but a clear yes is no, and what is more than "no" is the reason. */
export function parseAnswer(line: string): ApprovalAnswer {
  const text = line.trim();
  if (/^(?:y|yes|once)$/i.test(text)) return { answer: "once" };
  if (/^(?:a|always)$/i.test(text)) return { answer: "always" };
  const reason = text.replace(/^(?:n|no)(?:[\s,;:.-]+|$)/i, "").trim();
  return { answer: "no", ...(reason === "" ? {} : { reason }) };
}
