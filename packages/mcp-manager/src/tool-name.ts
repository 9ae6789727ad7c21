import { createHash } from "node:crypto";

/** The longest tool name that all model providers take. */
export const MAX_TOOL_NAME_LENGTH = 64;

const HASH_LENGTH = 8;

/**
 * The name under which a model sees a server's tool: `mcp_<server>_<tool>` made of `[a-zA-Z0-9_-]`. A name that would be
 * too long is cut and gets a short hash of what it was made of.
 */
export function createMcpToolName(server: string, tool: string): string {
  const name = plainName(server, tool);
  return name.length <= MAX_TOOL_NAME_LENGTH ? name : hashedName(server, tool);
}

/** The name of a tool whose plain name is taken: stable, since it depends on nothing but server and tool. */
export function hashedName(server: string, tool: string, attempt = 0): string {
  const key = JSON.stringify(attempt === 0 ? [server, tool] : [server, tool, attempt]);
  const hash = createHash("sha256").update(key).digest("hex").slice(0, HASH_LENGTH);
  return `${plainName(server, tool).slice(0, MAX_TOOL_NAME_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}

function plainName(server: string, tool: string): string {
  return `mcp_${server}_${tool}`.replace(/[^a-zA-Z0-9_-]/g, "_");
}
