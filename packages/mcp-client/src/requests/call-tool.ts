import { type ContentBlock, isRecord, ToolgateError } from "@toolgate/contracts";

import type { MCPServerConnection, RequestOptions } from "../connection/connection.ts";
import { listTools } from "./list-tools.ts";

/** A server of the modern era misses a header that repeats a parameter. */
const HEADER_MISMATCH = -32_020;

/** What a tool answered. */
export interface ToolCallResult {
  content: ContentBlock[];
  /** The tool's own word for that it failed. */
  isError: boolean;
  structuredContent?: unknown;
  _meta?: Record<string, unknown>;
}

/**
 * Calls a tool. A failure that the tool reports itself is a result with `isError`.
 *
 * @throws as {@link MCPServerConnection.request}
 */
// oxlint-disable-next-line max-params -- options come last, as everywhere
export async function callTool(
  connection: MCPServerConnection,
  tool: string,
  args: Record<string, unknown> = {},
  options: RequestOptions = {},
): Promise<ToolCallResult> {
  const call = () => connection.request("tools/call", { name: tool, arguments: args }, options);
  let answer: Record<string, unknown>;
  try {
    answer = await call();
  } catch (error) {
    if (connection.era !== "modern" || !isHeaderMismatch(error)) throw error;
    // The headers are those of the tool's definition, which this connection has not seen, or an older one of it.
    await listTools(connection, options);
    answer = await call();
  }
  const result: ToolCallResult = { content: readContent(answer), isError: answer["isError"] === true };
  if (answer["structuredContent"] !== undefined) result.structuredContent = answer["structuredContent"];
  return isRecord(answer["_meta"]) ? { ...result, _meta: answer["_meta"] } : result;
}

function isHeaderMismatch(error: unknown): boolean {
  return ToolgateError.isInstance(error) && isRecord(error.data) && error.data["code"] === HEADER_MISMATCH;
}

/** The content as sent. Where there is none, what the answer says instead becomes text. */
function readContent(answer: Record<string, unknown>): ContentBlock[] {
  const { content, structuredContent, toolResult } = answer;
  if (Array.isArray(content)) return content.map((block) => readBlock(block));
  // `toolResult` is the form of revision 2024-10-07.
  const instead = structuredContent ?? toolResult;
  return instead === undefined ? [] : [toText(instead)];
}

function readBlock(block: unknown): ContentBlock {
  if (isRecord(block)) {
    const { type, text, data, mimeType, resource, uri } = block;
    const isKnown =
      (type === "text" && typeof text === "string") ||
      ((type === "image" || type === "audio") && typeof data === "string" && typeof mimeType === "string") ||
      (type === "resource" && isRecord(resource)) ||
      (type === "resource_link" && typeof uri === "string");
    if (isKnown) return block as unknown as ContentBlock;
  }
  return toText(block);
}

function toText(value: unknown): ContentBlock {
  return { type: "text", text: typeof value === "string" ? value : stringify(value) };
}

function stringify(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // Reading JSON knows no limit of depth, writing it does.
    return "(an answer that is nested too deep to be shown)";
  }
}
