import type { AgentTool } from "@toolgate/contracts";
import { ToolgateError } from "@toolgate/contracts";

/** How a tool is added. */
export interface RegisterToolOptions {
  /** Whether the model gets it at once. @default true */
  active?: boolean;
}

/** The tools of a session. Registered ones can be called; active ones are offered to the model. */
export interface ToolRegistry {
  /** All tools, sorted by name in code unit order. */
  list(): AgentTool[];
  /** The tools that are offered to the model, in the same order. */
  active(): AgentTool[];
  get(name: string): AgentTool | undefined;
  isActive(name: string): boolean;
  /**
   * Makes exactly the named tools active.
   *
   * @throws ToolgateError `TOOL_NOT_FOUND` when there is no such tool; nothing is changed then
   */
  setActive(names: readonly string[]): void;
  /**
   * Adds a tool.
   *
   * @returns takes it out again, unless another one has taken its place
   * @throws ToolgateError `CONFIG_INVALID` when the name is taken or not usable
   */
  register(tool: AgentTool, options?: RegisterToolOptions): () => void;
  /** @returns whether there was such a tool */
  unregister(name: string): boolean;
}

/** All that a registry holds, for a change that may have to be taken back. */
export interface ToolRegistrySnapshot {
  readonly tools: ReadonlyMap<string, AgentTool>;
  readonly active: ReadonlySet<string>;
}

/** A registry whose whole content can be replaced in one step. */
export interface ReplaceableToolRegistry extends ToolRegistry {
  snapshot(): ToolRegistrySnapshot;
  restore(snapshot: ToolRegistrySnapshot): void;
}

/** Makes an empty registry. */
export function createToolRegistry(): ReplaceableToolRegistry {
  let tools = new Map<string, AgentTool>();
  let activeNames = new Set<string>();

  const list = (): AgentTool[] => [...tools.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const unregister = (name: string): boolean => {
    activeNames.delete(name);
    return tools.delete(name);
  };

  return {
    list,
    active: () => list().filter((tool) => activeNames.has(tool.name)),
    get: (name) => tools.get(name),
    isActive: (name) => activeNames.has(name),
    setActive(names) {
      const missing = names.filter((name) => !tools.has(name));
      if (missing.length > 0) {
        throw new ToolgateError("TOOL_NOT_FOUND", `There is no tool ${missing.join(", ")}. ${describe(tools)}`);
      }
      activeNames = new Set(names);
    },
    register(tool, { active = true } = {}) {
      if (!/^[a-zA-Z0-9_-]{1,64}$/.test(tool.name)) {
        throw new ToolgateError(
          "CONFIG_INVALID",
          `The tool name ${JSON.stringify(tool.name)} cannot be used: 1 to 64 letters, digits, "_" and "-" are allowed.`,
        );
      }
      if (tools.has(tool.name)) {
        throw new ToolgateError("CONFIG_INVALID", `A tool ${tool.name} is registered already; unregister it first.`);
      }
      tools.set(tool.name, tool);
      if (active) activeNames.add(tool.name);
      return () => {
        if (tools.get(tool.name) === tool) unregister(tool.name);
      };
    },
    unregister,
    snapshot: () => ({ tools: new Map(tools), active: new Set(activeNames) }),
    restore(snapshot) {
      tools = new Map(snapshot.tools);
      activeNames = new Set(snapshot.active);
    },
  };
}

function describe(tools: ReadonlyMap<string, AgentTool>): string {
  return tools.size === 0 ? "The session has no tools." : `Known: ${[...tools.keys()].toSorted().join(", ")}.`;
}
