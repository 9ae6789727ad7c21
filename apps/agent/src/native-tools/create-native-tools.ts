import type { AgentTool } from "@toolgate/contracts";
import type { MCPManager } from "@toolgate/mcp-manager";

import { createBashTool } from "./bash.ts";
import { createEditTool } from "./edit.ts";
import { createGlobTool } from "./glob.ts";
import { createGrepTool } from "./grep.ts";
import { createListTool } from "./list.ts";
import type { PathScopeOptions } from "./path-scope.ts";
import { createPathScope } from "./path-scope.ts";
import { createReadTool } from "./read.ts";
import { createTaskTool } from "./task.ts";
import { createWriteTool } from "./write.ts";

/** What {@link createNativeTools} goes by. */
export interface NativeToolsOptions extends PathScopeOptions {
  /** The environment of commands. @default process.env */
  env?: Readonly<Record<string, string | undefined>>;
  /** @default process.platform */
  platform?: NodeJS.Platform;
  /** The servers that subagents share. @default none */
  mcpManager?: MCPManager;
}

/**
 * Makes the native tools: `read`, `list`, `glob`, `grep`, `write`, `edit`, `bash` and `task`. Everything may be read
 * that the person can read; `write` and `edit` stay within the working directory and `roots`, unless `approveOutside`
 * says otherwise. `bash` can do whatever the person can: whether a call may run is for `mayRun` to decide.
 */
export function createNativeTools(options: NativeToolsOptions): AgentTool[] {
  const { cwd, env = process.env, platform = process.platform, mcpManager } = options;
  const scope = createPathScope(options);
  return [
    createReadTool(scope),
    createListTool(scope),
    createGlobTool(scope),
    createGrepTool(scope),
    createWriteTool(scope),
    createEditTool(scope),
    createBashTool({ cwd, env, platform }),
    createTaskTool(mcpManager === undefined ? {} : { mcpManager }),
  ];
}
