import type { AgentTool } from "@toolgate/contracts";

import { createToolMatcher } from "../session/tool-matcher.ts";

/** What may run without anybody to ask. */
export interface ToolPolicyOptions {
  /** Names or globs of tools that may run. */
  allow: readonly string[];
  /** Every tool may run. */
  yes: boolean;
}

/**
 * Decides which tools run where nobody can be asked: those that say of themselves that they only read, and those that
 * were allowed. What a server says counts since only approved servers run at all.
 */
export function createToolPolicy({ allow, yes }: ToolPolicyOptions): (tool: AgentTool) => boolean {
  const isAllowed = createToolMatcher(allow);
  return (tool) => yes || tool.annotations?.readOnlyHint === true || isAllowed(tool);
}
