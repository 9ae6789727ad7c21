import type { JsonSchema } from "./json-schema.ts";

/** A server's own hints about a tool. They are claims, not guarantees: trust them only as far as the server. */
export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** One tool as a server lists it, after tolerant validation. This is what the tool cache keeps. */
export interface MCPToolDefinition {
  /** The server's own name for the tool. */
  name: string;
  title?: string;
  description?: string;
  inputSchema: JsonSchema & { type: "object" };
  outputSchema?: JsonSchema;
  annotations?: ToolAnnotations;
  /** What the server says of long-running execution; `taskSupport: "required"` cannot be called in the plain way. */
  execution?: Record<string, unknown>;
  icons?: unknown[];
  _meta?: Record<string, unknown>;
}
