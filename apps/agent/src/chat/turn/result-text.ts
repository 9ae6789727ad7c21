import type { ContentBlock, ToolResult } from "@toolgate/contracts";
import { isRecord } from "@toolgate/contracts";

import type { ModelToolCall } from "../../session/agent-model.ts";
import { isBinaryLike, splitLines } from "../../terminal/fold-text.ts";
import { formatBytes, formatCount } from "../../terminal/format.ts";
import { renderToolResult } from "../../terminal/render-content.ts";
import { sanitizeLine } from "../../terminal/sanitize-text.ts";
import { countChange, fileChangeOf } from "./file-change.ts";

/** More text than this is not searched for a list of items. */
const LONGEST_JSON = 1_000_000;

/** A result for people; data that was taken for text is named instead of shown. */
export function renderResult(result: ToolResult): string {
  return renderToolResult({ ...result, content: result.content.map((block) => nameBinary(block)) });
}

/** What came back, in a few words: `8 results`, `12 lines`, `image png 12 kB`, `exit status 1`. */
export function summarizeResult(call: ModelToolCall, result: ToolResult): string {
  const native = result.details.server === undefined;
  if (native && call.name === "bash") return describeExit(result);
  if (result.isError) return "failed";
  const change = native ? fileChangeOf(call) : undefined;
  if (change !== undefined) return countChange(change);
  const items = countItems(result);
  const parts = [...(items === undefined ? [] : [items]), ...describeBlocks(result.content)];
  if (items === undefined) {
    const lines = splitLines(renderTexts(result)).length;
    if (lines > 0) parts.unshift(formatCount(lines, "line"));
  }
  return parts.join(", ") || "no output";
}

function describeExit(result: ToolResult): string {
  const text = renderTexts(result).trimEnd();
  return /\((exit status \w+|ended [^()\n]*)\)$/.exec(text)?.[1] ?? (result.isError ? "failed" : "exit status 0");
}

/** How many items a result lists: one that is a list, or that has one and nothing else of that kind. */
function countItems(result: ToolResult): string | undefined {
  const value = result.structuredContent ?? parseJson(renderTexts(result));
  if (Array.isArray(value)) return formatCount(value.length, "item");
  if (!isRecord(value)) return undefined;
  const [list, ...others] = Object.entries(value).filter((entry): entry is [string, unknown[]] =>
    Array.isArray(entry[1]),
  );
  if (list === undefined || others.length > 0) return undefined;
  const noun = sanitizeLine(list[0]);
  return formatCount(list[1].length, singularOf(noun), noun);
}

/** `results` is `result`, `entities` is `entity`, `matches` is `match`. */
function singularOf(noun: string): string {
  if (noun.endsWith("ies")) return noun.replace(/ies$/, "y");
  return noun.replace(/(?<=ss|sh|ch|x)es$|s$/, "");
}

/** Images and sounds one by one, then how many resources and links there are. */
function describeBlocks(blocks: readonly ContentBlock[]): string[] {
  const resources = blocks.filter((block) => block.type === "resource" && block.resource.text === undefined).length;
  const links = blocks.filter(({ type }) => type === "resource_link").length;
  return [
    ...blocks.flatMap((block) => describeMedia(block)),
    ...(resources > 0 ? [formatCount(resources, "resource")] : []),
    ...(links > 0 ? [formatCount(links, "link")] : []),
  ];
}

function describeMedia(block: ContentBlock): string[] {
  if (block.type !== "image" && block.type !== "audio") return [];
  const kind = block.mimeType.split("/").at(-1) ?? "";
  return [sanitizeLine(`${block.type} ${kind} ${formatBytes(Buffer.byteLength(block.data, "base64"))}`)];
}

function nameBinary(block: ContentBlock): ContentBlock {
  if (block.type !== "text" || !isBinaryLike(block.text)) return block;
  return { type: "text", text: `[binary data, ${formatBytes(Buffer.byteLength(block.text))}]` };
}

/** The texts of a result alone. */
function renderTexts(result: ToolResult): string {
  const content = result.content.filter(
    (block) => block.type === "text" || (block.type === "resource" && block.resource.text !== undefined),
  );
  return renderResult({ ...result, content });
}

function parseJson(text: string): unknown {
  if (text.length > LONGEST_JSON || !/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
