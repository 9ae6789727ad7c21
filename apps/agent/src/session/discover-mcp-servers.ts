import type { DiscoverAndLoadResult, MCPManagerOptions } from "@toolgate/mcp-manager";
import { discoverAndLoadMCPTools } from "@toolgate/mcp-manager";

/**
 * Finds, connects and loads the MCP servers of a directory, as a session does it, with Exa servers taken out. The caller
 * ends the returned manager.
 *
 * @param cwd - Where project files are looked for.
 * @param options - As for `discoverAndLoadMCPTools`.
 */
export function discoverMCPServers(cwd: string, options: MCPManagerOptions = {}): Promise<DiscoverAndLoadResult> {
  return discoverAndLoadMCPTools(cwd, { filterExa: true, ...options });
}
