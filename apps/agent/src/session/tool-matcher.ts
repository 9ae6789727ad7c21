import type { AgentTool } from "@toolgate/contracts";
import { createNameMatcher, findTool } from "@toolgate/mcp-manager";

/** Decides whether a tool is meant by one of the given names or globs, in any form that names a tool. */
export function createToolMatcher(references: readonly string[]): (tool: AgentTool) => boolean {
  const matchers = references.map(createNameMatcher);
  return (tool) =>
    matchers.some((matches) => matches(tool.name)) ||
    references.some((reference) => findTool([tool], reference) !== undefined);
}
