import type { AgentTool, ToolAnnotations, ToolCallContext, ToolParameters, ToolResult } from "@toolgate/contracts";

import { toolNotFoundError } from "./connection-errors.ts";
import type { ServerTool } from "./find-tool.ts";
import { findTool, isServerTool } from "./find-tool.ts";
import type { MCPManager } from "./manager.ts";
import { createNameMatcher } from "./tool-filter.ts";
import { createErrorResult } from "./tool-result.ts";

/** Which of the parent's tools a subagent gets. */
export interface SubagentToolsOptions {
  /** Names, or globs over names, in any form that {@link findTool} understands. @default all */
  allow?: readonly string[];
}

/**
 * Tools for a subagent, each a proxy for a tool of the parent's manager: the child never discovers, connects or closes
 * a server. A proxy looks its tool up at every use, so a server that became ready or came back is seen; call this again
 * after a `tools-changed` event for tools that are new.
 */
export function createSubagentTools(manager: MCPManager, options: SubagentToolsOptions = {}): AgentTool[] {
  const tools = manager.getTools().filter(isServerTool);
  return tools.filter(createAllowList(tools, options.allow)).map((tool) => new SubagentTool(manager, tool));
}

class SubagentTool implements ServerTool {
  readonly name: string;
  readonly server: string;
  readonly tool: string;
  readonly #manager: MCPManager;
  #latest: AgentTool;

  constructor(manager: MCPManager, tool: ServerTool) {
    this.name = tool.name;
    this.server = tool.server;
    this.tool = tool.tool;
    this.#manager = manager;
    this.#latest = tool;
  }

  get label(): string {
    return this.#refresh().label;
  }

  get description(): string {
    return this.#refresh().description;
  }

  get parameters(): ToolParameters {
    return this.#refresh().parameters;
  }

  get annotations(): ToolAnnotations {
    return this.#refresh().annotations ?? {};
  }

  async execute(args: Record<string, unknown>, context: ToolCallContext = {}): Promise<ToolResult> {
    const current = this.#find();
    if (current === undefined) {
      const available = this.#manager
        .getTools()
        .filter(isServerTool)
        .filter((tool) => tool.server === this.server);
      const error = toolNotFoundError(
        this.server,
        this.tool,
        available.map((tool) => tool.tool),
      );
      const subject = {
        server: this.server,
        tool: this.tool,
        source: this.#manager.getSource(this.server),
        startedAt: 0,
      };
      return createErrorResult(error, subject, 0);
    }
    // The server's own timeout applies: a child's shorter one would give up on what the parent waits for.
    const { timeout: _timeout, ...rest } = context;
    return current.execute(args, rest);
  }

  #find(): AgentTool | undefined {
    return this.#manager.getTools().find((tool) => tool.name === this.name);
  }

  // What a vanished tool last was is still its description.
  #refresh(): AgentTool {
    this.#latest = this.#find() ?? this.#latest;
    return this.#latest;
  }
}

function createAllowList(
  tools: readonly AgentTool[],
  allow: readonly string[] | undefined,
): (tool: AgentTool) => boolean {
  if (allow === undefined) return () => true;
  const matchers = allow.map(createNameMatcher);
  const named = new Set(allow.map((reference) => findTool(tools, reference)?.name));
  return (tool) => named.has(tool.name) || matchers.some((matches) => matches(tool.name));
}
