import type { AgentTool, ToolAnnotations, ToolCallContext, ToolResult } from "@toolgate/contracts";

/** What a plain tool does beside giving its name back. */
export interface PlainToolOptions {
  annotations?: ToolAnnotations;
  execute?: (args: Record<string, unknown>, context: ToolCallContext) => Promise<ToolResult>;
}

/** A native tool that gives its name back. */
export function plainTool(name: string, options: PlainToolOptions = {}): AgentTool {
  return {
    name,
    label: name,
    description: "",
    parameters: { type: "object" },
    ...(options.annotations === undefined ? {} : { annotations: options.annotations }),
    execute: (args, context = {}) => options.execute?.(args, context) ?? Promise.resolve(textResult(name, name)),
  };
}

/** A result of one text. */
export function textResult(tool: string, text: string): ToolResult {
  return { content: [{ type: "text", text }], isError: false, details: { tool, durationMs: 0 } };
}
