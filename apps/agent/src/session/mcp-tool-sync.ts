import type { AgentTool, MaybePromise } from "@toolgate/contracts";

import type { ReplaceableToolRegistry, ToolRegistrySnapshot } from "./tool-registry.ts";

/** What every name of a server's tool begins with. */
const MCP_TOOL_PREFIX = "mcp_";

/** What {@link MCPToolSync} works with. */
export interface MCPToolSyncOptions {
  registry: ReplaceableToolRegistry;
  wrap: (tool: AgentTool) => AgentTool;
  /** Takes over the new active set; a failure takes the change back. */
  applyTools?: (active: readonly AgentTool[]) => MaybePromise<void>;
}

/** Replaces the `mcp_` tools of a registry: one replacement at a time, and each either whole or not at all. */
export class MCPToolSync {
  readonly #options: MCPToolSyncOptions;
  /** Names of tools that were switched off and are not there at the moment: a tool that returns stays off. */
  readonly #switchedOff = new Set<string>();
  #last: Promise<void> = Promise.resolve();

  constructor(options: MCPToolSyncOptions) {
    this.#options = options;
  }

  /** @param latest - Gives the tools when it is this replacement's turn. */
  refresh(latest: () => readonly AgentTool[]): Promise<void> {
    const next = this.#last.then(() => this.#replace(latest()));
    this.#last = next.catch(() => {});
    return next;
  }

  async #replace(tools: readonly AgentTool[]): Promise<void> {
    const { registry, wrap, applyTools } = this.#options;
    const before = registry.snapshot();
    const switchedOff = new Set(this.#switchedOff);
    try {
      this.#removeAll(before);
      for (const tool of tools) {
        registry.register(wrap(tool), { active: !this.#switchedOff.has(tool.name) });
      }
      for (const tool of tools) this.#switchedOff.delete(tool.name);
      await applyTools?.(registry.active());
    } catch (error) {
      registry.restore(before);
      this.#switchedOff.clear();
      for (const name of switchedOff) this.#switchedOff.add(name);
      throw error;
    }
  }

  #removeAll(before: ToolRegistrySnapshot): void {
    for (const name of before.tools.keys()) {
      if (!name.startsWith(MCP_TOOL_PREFIX)) continue;
      if (!before.active.has(name)) this.#switchedOff.add(name);
      this.#options.registry.unregister(name);
    }
  }
}
