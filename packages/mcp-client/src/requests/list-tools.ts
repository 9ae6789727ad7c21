import type { MCPToolDefinition, ToolgateError } from "@toolgate/contracts";

import type { MCPServerConnection, RequestOptions } from "../connection/connection.ts";
import { readParameterHeaders } from "../modern/parameter-headers.ts";
import { listPages } from "./list-pages.ts";
import { type InvalidTool, readTool } from "./read-tool.ts";

/** A server's tools, and what it lists beside them. */
export interface ToolList {
  tools: MCPToolDefinition[];
  /** Listed and unusable; never a reason to lose the others. */
  invalid: InvalidTool[];
  /** Why there may be more tools than these: the list had no end and was cut off. Its code is `LIST_FAILED`. */
  incomplete?: ToolgateError;
}

/**
 * Lists all tools of a server, all pages of them. A server without the `tools` capability has none and is not asked.
 *
 * @throws ToolgateError `LIST_FAILED` when the server refuses; otherwise as {@link MCPServerConnection.request}
 */
export async function listTools(connection: MCPServerConnection, options: RequestOptions = {}): Promise<ToolList> {
  if (connection.capabilities.tools === undefined) return { tools: [], invalid: [] };
  const listing = { method: "tools/list", field: "tools", key: "name", optional: false };
  const { items, duplicates, incomplete } = await listPages(connection, listing, options);
  const tools: MCPToolDefinition[] = [];
  const invalid: InvalidTool[] = [];
  for (const item of items) {
    const read = readTool(item);
    const reason = "tool" in read ? findHeaderFault(connection, read.tool) : undefined;
    if (!("tool" in read)) invalid.push(read.invalid);
    else if (reason === undefined) tools.push(read.tool);
    else invalid.push({ name: read.tool.name, reason });
  }
  for (const name of duplicates) invalid.push({ name, reason: "a tool of the same name is listed before it" });
  return { tools, invalid, ...(incomplete === undefined ? {} : { incomplete }) };
}

/** Why a tool cannot be called over HTTP in the modern era: such tools must not be offered. */
function findHeaderFault({ era, transport }: MCPServerConnection, tool: MCPToolDefinition): string | undefined {
  if (era !== "modern" || transport !== "http") return undefined;
  const headers = readParameterHeaders(tool.inputSchema);
  return typeof headers === "string" ? headers : undefined;
}
