import type { AgentTool, MCPToolDefinition } from "@toolgate/contracts";

import { byCodeUnits } from "./by-code-units.ts";
import type { ServerTool } from "./find-tool.ts";
import { createMcpToolName, hashedName } from "./tool-name.ts";

/** Makes the tool of one definition once its name is decided. */
export type ToolFactory = (name: string, definition: MCPToolDefinition) => ServerTool;

interface ToolSlice {
  definitions: readonly MCPToolDefinition[];
  factory: ToolFactory;
  /** Made when the merged list is asked for; a slice that stays keeps its objects. */
  tools?: readonly ServerTool[];
}

/**
 * The merged tools of all servers, one slice per server.
 *
 * Names are given when the list is first asked for, by server and then by tool, and kept for as long as the catalog
 * lives: a server that comes late or comes back never renames another one's tools.
 */
export class ToolCatalog {
  readonly #slices = new Map<string, ToolSlice>();
  readonly #names = new Map<string, string>();
  /** Lower case, since some model providers do not tell `Search` from `search`. */
  readonly #taken = new Set<string>();
  #merged: AgentTool[] | undefined;

  /** Replaces one server's tools. */
  setServerTools(server: string, definitions: readonly MCPToolDefinition[], factory: ToolFactory): void {
    this.#slices.set(server, { definitions: uniqueByName(definitions), factory });
    this.#merged = undefined;
  }

  /** Takes one server's tools out; their names stay reserved for its return. */
  removeServer(server: string): boolean {
    const removed = this.#slices.delete(server);
    if (removed) this.#merged = undefined;
    return removed;
  }

  /** Takes everything out and forgets the names. */
  clear(): void {
    this.#slices.clear();
    this.#names.clear();
    this.#taken.clear();
    this.#merged = undefined;
  }

  /** The definitions of one server, or undefined when it has no slice. */
  definitionsOf(server: string): readonly MCPToolDefinition[] | undefined {
    return this.#slices.get(server)?.definitions;
  }

  /** All tools, sorted by name in code unit order. */
  list(): AgentTool[] {
    this.#merged ??= this.#merge();
    return [...this.#merged];
  }

  #merge(): AgentTool[] {
    const servers = [...this.#slices.keys()].toSorted(byCodeUnits);
    const tools = servers.flatMap((server) => {
      const slice = this.#slices.get(server);
      if (slice === undefined) return [];
      slice.tools ??= this.#makeTools(server, slice);
      return slice.tools;
    });
    return tools.toSorted((a, b) => byCodeUnits(a.name, b.name));
  }

  #makeTools(server: string, { definitions, factory }: ToolSlice): ServerTool[] {
    return definitions
      .toSorted((a, b) => byCodeUnits(a.name, b.name))
      .map((definition) => factory(this.#nameOf(server, definition.name), definition));
  }

  #nameOf(server: string, tool: string): string {
    const key = JSON.stringify([server, tool]);
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    let name = createMcpToolName(server, tool);
    for (let attempt = 0; this.#taken.has(name.toLowerCase()); attempt += 1) name = hashedName(server, tool, attempt);
    this.#taken.add(name.toLowerCase());
    this.#names.set(key, name);
    return name;
  }
}

function uniqueByName(definitions: readonly MCPToolDefinition[]): readonly MCPToolDefinition[] {
  const seen = new Set<string>();
  return definitions.filter(({ name }) => !seen.has(name) && seen.add(name));
}
