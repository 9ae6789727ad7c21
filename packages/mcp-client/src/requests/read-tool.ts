import { isRecord, type JsonSchema, type MCPToolDefinition } from "@toolgate/contracts";

/** A tool that a server lists and that cannot be offered. */
export interface InvalidTool {
  name?: string;
  /** Why, in one sentence. */
  reason: string;
}

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
  if (isRecord(value["outputSchema"])) tool.outputSchema = value["outputSchema"];
  if (isRecord(value["annotations"])) tool.annotations = value["annotations"];
  if (isRecord(value["execution"])) tool.execution = value["execution"];
  if (Array.isArray(value["icons"])) tool.icons = value["icons"] as unknown[];
  return { tool: isRecord(value["_meta"]) ? { ...tool, _meta: value["_meta"] } : tool };
}

function readInputSchema(schema: unknown): (JsonSchema & { type: "object" }) | string {
  // A tool without parameters is often listed without a schema.
  if (schema === undefined || schema === null) return { type: "object", properties: {} };
  if (!isRecord(schema)) return "its inputSchema is not an object";
  const { type, properties, required } = schema;
  const isObject = type === undefined || type === "object" || (Array.isArray(type) && type.includes("object"));
  if (!isObject) return `its inputSchema has the type ${JSON.stringify(type)} instead of "object"`;
  if (properties !== undefined && properties !== null && !isRecord(properties)) {
    return "the properties of its inputSchema are not an object";
  }
  const repaired: JsonSchema & { type: "object" } = { ...schema, type: "object" };
  if (properties === null) delete repaired.properties;
  if (required !== undefined && !(Array.isArray(required) && required.every((item) => typeof item === "string"))) {
    delete repaired.required;
  }
  return repaired;
}
