import type { AgentTool } from "@toolgate/contracts";
import { createNameMatcher, findTool, isServerTool } from "@toolgate/mcp-manager";

/**
 * Whether a person's pattern means a tool: its name, any form that `findTool` understands, or a glob over its name or
 * over `server.tool`.
 */
export function matchesTool(tool: AgentTool, pattern: string): boolean {
  const matches = createNameMatcher(pattern);
  if (matches(tool.name) || findTool([tool], pattern) !== undefined) return true;
  return isServerTool(tool) && matches(`${tool.server}.${tool.tool}`);
}
