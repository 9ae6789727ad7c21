import type { AgentTool } from "@toolgate/contracts";

/** A tool of an MCP server, which knows where it comes from. */
export interface ServerTool extends AgentTool {
  readonly server: string;
  /** The server's own name for it. */
  readonly tool: string;
}

/** Whether a tool of a registry stands for a tool of an MCP server. */
export function isServerTool(tool: AgentTool): tool is ServerTool {
  return typeof Reflect.get(tool, "server") === "string" && typeof Reflect.get(tool, "tool") === "string";
}

/**
 * Finds the tool that a person or a model means: its name, or `mcp__server__tool`, `server.tool`, `server/tool`.
 *
 * @returns The tool, or undefined when nothing fits or more than one tool does.
 */
export function findTool(tools: readonly AgentTool[], reference: string): AgentTool | undefined {
  const exact = tools.find((tool) => tool.name === reference);
  if (exact !== undefined) return exact;
  const matches = tools.filter((tool) => isServerTool(tool) && otherSpellings(tool).includes(reference));
  return matches.length === 1 ? matches[0] : undefined;
}

/** How a person or a model may write a tool beside its name. */
export function otherSpellings({ server, tool }: ServerTool): string[] {
  return [`mcp__${server}__${tool}`, `${server}.${tool}`, `${server}/${tool}`];
}
