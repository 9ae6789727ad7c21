/** A JSON Schema as it travels in the protocol. Servers send every dialect, so only its outer shape is typed. */
export type JsonSchema = Record<string, unknown> & { type?: unknown; properties?: unknown; required?: unknown };

/** The schema of a tool's parameters: always an object schema, repaired when a server sent less. */
export type ToolParameters = JsonSchema & { type: "object" };
