import { isRecord, type MCPToolDefinition, type ToolAnnotations } from "@toolgate/contracts";

import { readInputSchema } from "./read-schema.ts";
import { exceedsLimits } from "./value-limits.ts";

/** A tool that a server lists and that cannot be offered. */
export interface InvalidTool {
  name?: string;
  /** Why, in one sentence. */
  reason: string;
}

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/**
 * Reads one listed tool tolerantly: what is missing or odd and can do without is repaired or left out, and only what
 * makes the tool unusable is a reason to refuse it. Output schemas are never compiled.
 */
export function readTool(value: unknown): { tool: MCPToolDefinition } | { invalid: InvalidTool } {
  if (!isRecord(value)) return { invalid: { reason: "the tool is not an object" } };
  const { name } = value;
  if (typeof name !== "string" || name === "") return { invalid: { reason: "the tool has no name" } };
  const inputSchema = readInputSchema(value["inputSchema"]);
  if (typeof inputSchema === "string") return { invalid: { name, reason: inputSchema } };
  const tool: MCPToolDefinition = { name, inputSchema };
  if (typeof value["title"] === "string") tool.title = value["title"];
  if (typeof value["description"] === "string") tool.description = value["description"];
  if (isUsableRecord(value["outputSchema"])) tool.outputSchema = value["outputSchema"];
  if (isUsableRecord(value["annotations"])) tool.annotations = readAnnotations(value["annotations"]);
  if (isUsableRecord(value["execution"])) tool.execution = value["execution"];
  if (Array.isArray(value["icons"]) && exceedsLimits(value["icons"]) === undefined) {
    tool.icons = value["icons"] as unknown[];
  }
  return { tool: isUsableRecord(value["_meta"]) ? { ...tool, _meta: value["_meta"] } : tool };
}

/** The hints decide what may run unasked: one that is neither true nor false, such as the text "false", is no hint. */
function readAnnotations(annotations: Record<string, unknown>): ToolAnnotations {
  const read: Record<string, unknown> = { ...annotations };
  for (const hint of HINTS) if (typeof read[hint] !== "boolean") delete read[hint];
  if (typeof read["title"] !== "string") delete read["title"];
  return read;
}

function isUsableRecord(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && exceedsLimits(value) === undefined;
}
