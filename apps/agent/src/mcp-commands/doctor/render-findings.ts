import { formatCount, formatPath } from "../../terminal/format.ts";
import { sanitizeLine } from "../../terminal/sanitize-text.ts";
import type { CommandContext } from "../command-context.ts";
import type { Finding, FindingSummary } from "./finding.ts";

const SIGNS = { error: "✗", warning: "!", hint: "·" } as const;

/** The report for people: what is wrong, below it what to do, at the end how much of it there is. */
export function renderFindings(findings: readonly Finding[], summary: FindingSummary, context: CommandContext): string {
  const total = [
    formatCount(summary.errors, "error"),
    formatCount(summary.warnings, "warning"),
    formatCount(summary.hints, "hint"),
  ].join(", ");
  return [...findings.flatMap((finding) => renderFinding(finding, context)), total].join("\n");
}

function renderFinding(finding: Finding, context: CommandContext): string[] {
  const { style } = context;
  const paint = { error: style.bad, warning: style.warning, hint: style.dim }[finding.level];
  const { path, paths = [] } = finding;
  const place = path === undefined ? "" : placeOf(finding, context);
  const message = shortenPaths(finding.message, path === undefined ? paths : [path, ...paths], context);
  const fix = path === undefined ? finding.fix : finding.fix.replaceAll(path, place);
  return [
    `${paint(SIGNS[finding.level])} ${sanitizeLine(`${place === "" ? "" : `${place}: `}${message}`)}`,
    `    ${style.accent(sanitizeLine(shortenPaths(fix, paths, context)))}`,
  ];
}

function shortenPaths(text: string, paths: readonly string[], context: CommandContext): string {
  return paths.reduce((shortened, path) => shortened.replaceAll(path, formatPath(path, context)), text);
}

function placeOf({ path = "", line, column }: Finding, context: CommandContext): string {
  const place = line === undefined ? "" : `:${line}${column === undefined ? "" : `:${column}`}`;
  return formatPath(path, context) + place;
}
