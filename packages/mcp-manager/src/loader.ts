import type { DiscoveryWarning } from "@toolgate/capability-discovery";
import type { AgentTool, SourceMeta } from "@toolgate/contracts";
import { messageOf, silentLogger } from "@toolgate/contracts";

import { isServerTool } from "./find-tool.ts";
import type { MCPManagerOptions } from "./manager-options.ts";
import { MCPManager } from "./manager.ts";

/** A tool with a label of where it comes from. */
export interface LoadedCustomTool {
  /** `mcp:<server> via <providerName>`, or `mcp:<server>` when no provider is known. */
  path: string;
  tool: AgentTool;
}

/** What a session needs of its MCP servers. */
export interface DiscoverAndLoadResult {
  tools: LoadedCustomTool[];
  /** Path `mcp:<server>` for one server's error, `.mcp.json` when discovery as a whole failed. */
  errors: { path: string; error: string }[];
  /** Always there, also after a failure, for later reloads and for the teardown. */
  manager: MCPManager;
  connectedServers: string[];
  /** Keys of Exa servers that were taken out, for the native Exa tool. */
  exaApiKeys: string[];
  warnings: DiscoveryWarning[];
}

/**
 * Finds, connects and loads everything for one session. Never rejects: a failed discovery gives no tools and one error,
 * a failed server gives an error of its own beside the other servers' tools.
 *
 * @param cwd - The session's working directory.
 * @param options - Those of the manager and of `loadAllMCPConfigs`.
 */
export async function discoverAndLoadMCPTools(
  cwd: string,
  options: MCPManagerOptions = {},
): Promise<DiscoverAndLoadResult> {
  const manager = new MCPManager(cwd, options);
  try {
    const result = await manager.discoverAndConnect();
    return {
      tools: toCustomTools(result.tools, (server) => manager.getSource(server)),
      errors: [...result.errors].map(([server, error]) => ({ path: `mcp:${server}`, error: error.message })),
      manager,
      connectedServers: result.connectedServers,
      exaApiKeys: result.exaApiKeys,
      warnings: result.warnings,
    };
  } catch (error) {
    (options.logger ?? silentLogger).error(`MCP discovery failed: ${messageOf(error)}`);
    const errors = [{ path: ".mcp.json", error: messageOf(error) }];
    return { tools: [], errors, manager, connectedServers: [], exaApiKeys: [], warnings: [] };
  }
}

function toCustomTools(
  tools: readonly AgentTool[],
  sourceOf: (server: string) => SourceMeta | undefined,
): LoadedCustomTool[] {
  return tools.map((tool) => {
    if (!isServerTool(tool)) return { path: "mcp", tool };
    const source = sourceOf(tool.server);
    return {
      path: source === undefined ? `mcp:${tool.server}` : `mcp:${tool.server} via ${source.providerName}`,
      tool,
    };
  });
}
