import type { MCPManager } from "@toolgate/mcp-manager";

/** The names of all servers of a session, in their order; none without a manager. */
export function serverNamesOf(manager: MCPManager | undefined): string[] {
  return manager?.describeServers().map(({ name }) => name) ?? [];
}
