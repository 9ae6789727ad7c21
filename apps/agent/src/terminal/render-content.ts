import type { ContentBlock, ToolResult } from "@toolgate/contracts";

import { sanitizeText } from "./sanitize-text.ts";

/** A tool's answer for people: its texts as they are, everything else named. */
export function renderToolResult(result: ToolResult): string {
  const text = renderContent(result.content);
  if (text !== "" || result.structuredContent === undefined) return text;
  return sanitizeText(JSON.stringify(result.structuredContent, null, 2));
}

/** Content for people, a piece below the other. */
export function renderContent(content: readonly ContentBlock[]): string {
  return content.map(renderBlock).join("\n");
}

/** One piece of content for people. */
function renderBlock(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return sanitizeText(block.text);
    case "image":
    case "audio":
      return sanitizeText(`[${block.type} ${block.mimeType}, ${byteLength(block.data)} bytes]`);
    case "resource":
      return sanitizeText(block.resource.text ?? `[resource ${block.resource.uri}]`);
    case "resource_link":
      return sanitizeText(`[${block.name}] ${block.uri}`);
    default:
      // Servers send what later revisions define.
      return "[content of an unknown type]";
  }
}

function byteLength(base64: string): number {
  return Buffer.byteLength(base64, "base64");
}
