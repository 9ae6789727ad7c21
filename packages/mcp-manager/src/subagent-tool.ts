import type { AgentTool, ToolAnnotations, ToolCallContext, ToolParameters, ToolResult } from "@toolgate/contracts";

import { abortable } from "./abortable.ts";
import { toolNotFoundError } from "./connection-errors.ts";
import type { ServerTool } from "./find-tool.ts";
import { isServerTool } from "./find-tool.ts";
import type { MCPManager } from "./manager.ts";
import type { SubagentToolsOptions } from "./subagent-tools.ts";
import { createErrorResult, isAbort } from "./tool-result.ts";

/** A subagent's proxy for a tool of its parent's manager, which it looks up at every use. */
export class SubagentTool implements ServerTool {
  readonly name: string;
  readonly server: string;
  readonly tool: string;
  readonly #manager: MCPManager;
  readonly #options: SubagentToolsOptions;
  #latest: AgentTool;

  constructor(manager: MCPManager, tool: ServerTool, options: SubagentToolsOptions) {
    this.name = tool.name;
    this.server = tool.server;
    this.tool = tool.tool;
    this.#manager = manager;
    this.#options = options;
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

  /** @inheritDoc */
  async execute(args: Record<string, unknown>, context: ToolCallContext = {}): Promise<ToolResult> {
    const signal = joinSignals(this.#options.signal, context.signal);
    try {
      const current = this.#find();
      if (current === undefined) throw this.#vanished();
      if (!(await this.#isAllowed(current, args, signal))) return this.#refusal();
      // The server's own timeout applies: a child's shorter one would give up on what the parent waits for.
      const { timeout: _timeout, signal: _signal, ...rest } = context;
      return await current.execute(args, signal === undefined ? rest : { ...rest, signal });
    } catch (error) {
      if (isAbort(error)) throw error;
      return createErrorResult(error, this.#subject(), 0);
    }
  }

  async #isAllowed(tool: AgentTool, args: Record<string, unknown>, signal: AbortSignal | undefined): Promise<boolean> {
    const { mayRun } = this.#options;
    return mayRun === undefined || abortable(Promise.resolve(mayRun(tool, args)), signal);
  }

  #refusal(): ToolResult {
    const text = `${this.name} was not run: the agent that this subagent works for does not allow it.`;
    const { server, tool } = this;
    return { content: [{ type: "text", text }], isError: true, details: { server, tool, durationMs: 0 } };
  }

  #vanished(): Error {
    const others = this.#manager.getTools().filter(isServerTool);
    const available = others.filter((tool) => tool.server === this.server).map((tool) => tool.tool);
    return toolNotFoundError(this.server, this.tool, available);
  }

  #subject(): Parameters<typeof createErrorResult>[1] {
    return { server: this.server, tool: this.tool, source: this.#manager.getSource(this.server), startedAt: 0 };
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

function joinSignals(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return AbortSignal.any([one, other]);
}
