import { isDeepStrictEqual } from "node:util";

import type { ContentBlock, ToolResult } from "@toolgate/contracts";
import { messageOf } from "@toolgate/contracts";

import type { Clock } from "./clock.ts";
import { countBytes, cutText } from "./cut-text.ts";
import type { MCPManagerOptions } from "./manager-options.ts";
import type { OutputStore } from "./output-store.ts";
import { createOutputStore } from "./output-store.ts";
import { resultsDirectory } from "./results-directory.ts";

/** Bytes of text, in UTF-8, that all blocks of one result may have. */
export const MAX_TEXT_BYTES = 100_000;
/** Bytes that one image, sound or binary resource may have in base64. */
export const MAX_MEDIA_BYTES = 5_000_000;

/** How much of a tool's result is handed over; the rest is kept in a file that the result names. */
export interface OutputLimits {
  /** Bytes of text in all blocks of a result, in UTF-8; `Infinity` for no limit. @default 100000 */
  textBytes?: number;
  /** Bytes of one image, sound or binary resource in base64; `Infinity` for no limit. @default 5000000 */
  mediaBytes?: number;
  /**
   * Where whole results are kept, in files that only the user may read.
   *
   * @default `toolgate/results` in the user's cache directory: `$XDG_CACHE_HOME` or `~/.cache`, `~/Library/Caches` on
   * macOS, `%LOCALAPPDATA%` on Windows
   */
  directory?: string;
  /** How many files are kept there; the oldest go first. @default 100 */
  maxFiles?: number;
  /** Milliseconds after which a file goes. @default 7 days */
  maxAgeMs?: number;
}

/** Cuts results down to what a model can take. */
export type LimitOutput = (result: ToolResult) => Promise<ToolResult>;

/**
 * Makes the function that limits results. Text is cut where a character ends, the first blocks first; an image that is too
 * large becomes a note, since models refuse every later request of a conversation that holds one. What is cut is kept
 * whole in a file; when that fails, the note says why, and the result is cut all the same.
 */
export function createOutputLimiter(limits: OutputLimits, store: OutputStore): LimitOutput {
  const { textBytes = MAX_TEXT_BYTES, mediaBytes = MAX_MEDIA_BYTES } = limits;
  return async (result) => {
    const media = await limitMedia(result, mediaBytes, store);
    const limited = await limitText(media, textBytes, store);
    return limitStructured(limited, textBytes, { store, texts: textsOf(result) });
  };
}

/** What limits the results of a manager's tools; undefined when they are handed over whole. */
export function outputLimiterOf(options: MCPManagerOptions, clock: Clock): LimitOutput | undefined {
  const { outputLimits: limits = {} } = options;
  if (limits === false) return undefined;
  const { maxFiles, maxAgeMs, directory = resultsDirectory(options) } = limits;
  return createOutputLimiter(limits, createOutputStore({ directory, maxFiles, maxAgeMs, clock }));
}

async function limitMedia(result: ToolResult, limit: number, store: OutputStore): Promise<ToolResult> {
  if (result.content.every((block) => mediaOf(block).data.length <= limit)) return result;
  const content = await Promise.all(
    result.content.map(async (block): Promise<ContentBlock> => {
      const { data, mimeType, what } = mediaOf(block);
      if (data.length <= limit) return block;
      const kept = await keep(result, { data: Buffer.from(data, "base64"), mimeType }, store);
      const size = `${data.length} bytes in base64, of at most ${limit}`;
      return { type: "text", text: `[${what} (${mimeType}) is left out: ${size}. ${kept.note}]` };
    }),
  );
  return { ...result, content };
}

function mediaOf(block: ContentBlock): { data: string; mimeType: string; what: string } {
  switch (block.type) {
    case "image":
      return { data: block.data, mimeType: block.mimeType, what: "An image" };
    case "audio":
      return { data: block.data, mimeType: block.mimeType, what: "A sound" };
    case "resource": {
      const { blob = "", mimeType = "application/octet-stream", uri } = block.resource;
      return { data: blob, mimeType, what: `The resource ${cutText(uri, 500)}` };
    }
    default:
      return { data: "", mimeType: "", what: "" };
  }
}

async function limitText(result: ToolResult, limit: number, store: OutputStore): Promise<ToolResult> {
  const texts = textsOf(result);
  const total = texts.reduce((sum, text) => sum + countBytes(text), 0);
  if (total <= limit) return result;
  const kept = await keep(result, { data: texts.join("\n"), mimeType: "text/plain" }, store);
  let left = limit;
  const content = result.content.flatMap((block) => {
    const text = textOf(block);
    if (text === undefined) return [block];
    const shown = cutText(text, left);
    // Nothing is shown after a cut: a later block would seem to follow what it does not follow.
    left = shown.length < text.length ? 0 : left - countBytes(shown);
    return shown === "" && text !== "" ? [] : [withText(block, shown)];
  });
  const shown = content.reduce((sum, block) => sum + countBytes(textOf(block) ?? ""), 0);
  const notice = `[Cut: ${shown} of ${total} bytes of text are shown, ${total - shown} are left out. ${kept.note}]`;
  return {
    ...result,
    content: [...content, { type: "text", text: notice }],
    details: {
      ...result.details,
      truncated: { omittedBytes: total - shown, ...(kept.file === undefined ? {} : { file: kept.file }) },
    },
  };
}

function textsOf({ content }: ToolResult): string[] {
  return content.flatMap((block) => textOf(block) ?? []);
}

function textOf(block: ContentBlock): string | undefined {
  if (block.type === "text") return block.text;
  return block.type === "resource" ? block.resource.text : undefined;
}

function withText(block: ContentBlock, text: string): ContentBlock {
  if (block.type === "text") return { ...block, text };
  return block.type === "resource" ? { ...block, resource: { ...block.resource, text } } : block;
}

// A part of a value would be another value, so that one which is too large is left out as a whole.
async function limitStructured(
  result: ToolResult,
  limit: number,
  { store, texts }: { store: OutputStore; texts: readonly string[] },
): Promise<ToolResult> {
  const { structuredContent, ...rest } = result;
  if (structuredContent === undefined || limit === Number.POSITIVE_INFINITY) return result;
  const json = JSON.stringify(structuredContent);
  const size = countBytes(json);
  if (size <= limit) return result;
  // Most servers repeat the value as text, which then has been cut and kept already.
  if (texts.some((text) => isJsonOf(text, structuredContent))) return rest;
  const { note } = await keep(result, { data: json, mimeType: "application/json" }, store);
  const notice = `[The structured content of ${size} bytes is left out. ${note}]`;
  return { ...rest, content: [...rest.content, { type: "text", text: notice }] };
}

function isJsonOf(text: string, value: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text), value);
  } catch {
    return false;
  }
}

async function keep(
  { details }: ToolResult,
  output: { data: string | Uint8Array; mimeType: string },
  store: OutputStore,
): Promise<{ file?: string; note: string }> {
  try {
    const file = await store.keep({ ...output, name: `${details.server ?? ""}-${details.tool}` });
    return { file, note: `The whole is in ${file}` };
  } catch (error) {
    return { note: `The whole could not be kept: ${messageOf(error)}` };
  }
}
