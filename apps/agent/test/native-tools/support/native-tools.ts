import type { AgentTool, ToolCallContext, ToolResult } from "@toolgate/contracts";

import type { NativeToolsOptions } from "../../../src/native-tools/create-native-tools.ts";
import { createNativeTools } from "../../../src/native-tools/create-native-tools.ts";
import type { Scratch } from "../../support/scratch.ts";

/** A call of a native tool, as text. */
export interface Answer {
  text: string;
  isError: boolean;
  result: ToolResult;
}

/** The native tools in a scratch project. */
export interface NativeToolRunner {
  tools: AgentTool[];
  call: (name: string, args?: Record<string, unknown>, context?: ToolCallContext) => Promise<Answer>;
}

export function nativeToolsIn(scratch: Scratch, options: Partial<NativeToolsOptions> = {}): NativeToolRunner {
  const tools = createNativeTools({ cwd: scratch.project, env: scratch.env, ...options });
  return {
    tools,
    async call(name, args = {}, context = {}) {
      const tool = tools.find((candidate) => candidate.name === name);
      if (tool === undefined) throw new Error(`no tool ${name}`);
      const result = await tool.execute(args, context);
      const text = result.content.map((block) => (block.type === "text" ? block.text : `<${block.type}>`)).join("\n");
      return { text, isError: result.isError, result };
    },
  };
}
