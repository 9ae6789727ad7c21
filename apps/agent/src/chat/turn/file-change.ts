import type { ModelToolCall } from "../../session/agent-model.ts";
import { sanitizeText } from "../../terminal/sanitize-text.ts";
import { expandTabs } from "../../terminal/text-width.ts";

const CHANGED_TEXTS = new Set(["content", "old_text", "new_text"]);

/** What a call of `edit` or `write` changes in a file: lines behind `- ` and `+ `; undefined for other calls. */
export function fileChangeOf({ name, arguments: args }: ModelToolCall): string[] | undefined {
  if (name === "write") return linesOf(args["content"]).map((line) => `+ ${line}`);
  if (name !== "edit") return undefined;
  const [before, after] = withoutCommon(linesOf(args["old_text"]), linesOf(args["new_text"]));
  return [...before.map((line) => `- ${line}`), ...after.map((line) => `+ ${line}`)];
}

/** What a call was made with, without the texts that the view of its change shows. */
export function argumentsBesideChange({ name, arguments: args }: ModelToolCall): Record<string, unknown> {
  if (name !== "edit" && name !== "write") return args;
  return Object.fromEntries(Object.entries(args).filter(([key]) => !CHANGED_TEXTS.has(key)));
}

/** How much a change takes and gives: `+3 -1`. */
export function countChange(lines: readonly string[]): string {
  const removed = lines.filter((line) => line.startsWith("-")).length;
  const added = lines.length - removed;
  return [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`-${removed}`] : [])].join(" ") || "empty";
}

/** Leaves out the lines at both ends that stay. */
function withoutCommon(before: readonly string[], after: readonly string[]): [string[], string[]] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return [before.slice(start, before.length - end), after.slice(start, after.length - end)];
}

function linesOf(text: unknown): string[] {
  if (typeof text !== "string" || text === "") return [];
  return expandTabs(sanitizeText(text)).replace(/\n$/, "").split("\n");
}
