import type { LoadedConfigs } from "@toolgate/mcp-manager";

import type { CommandContext } from "./command-context.ts";
import { describeFailure } from "./describe-failure.ts";

/** Ends a server in the live session, if there is one, and takes its tools from the model. */
export async function endInSession(name: string, { session }: CommandContext): Promise<boolean> {
  const manager = session?.mcpManager;
  if (session === undefined || manager === undefined) return false;
  const wasThere = manager.describeServers().some((server) => server.name === name);
  await manager.disconnectServer(name);
  await session.refreshMCPTools(manager.getTools());
  return wasThere;
}

/**
 * Starts servers in the live session, if there is one, and gives their tools to the model; which of them failed, and why,
 * is told. Without one, nothing is started: the next session does that.
 */
export async function startInSession(
  names: readonly string[],
  loaded: LoadedConfigs,
  context: CommandContext,
): Promise<string[]> {
  const { session } = context;
  const manager = session?.mcpManager;
  if (session === undefined || manager === undefined) return [];
  const configs = Object.fromEntries(Object.entries(loaded.configs).filter(([name]) => names.includes(name)));
  const { connectedServers } = await manager.connectServers(configs, loaded.sources, {
    entries: loaded.entries,
    startupTimeoutMs: Number.POSITIVE_INFINITY,
  });
  await session.refreshMCPTools(manager.getTools());
  for (const server of manager.describeServers()) {
    const hasFailed = server.status === "failed" || server.status === "needs-auth";
    if (hasFailed && configs[server.name] !== undefined) context.notify(describeFailure(server, context));
  }
  return connectedServers;
}
