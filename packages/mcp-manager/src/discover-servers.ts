import type { MCPServerConfig, ToolgateError } from "@toolgate/contracts";

import { closedError } from "./connection-errors.ts";
import type { LoadedConfigs } from "./load-configs.ts";
import type { ServerRegistry } from "./server-registry.ts";

/** What was found, and what of it is still wanted. */
export interface DiscoveredServers {
  loaded: LoadedConfigs;
  /** What is still to be started, and why the rest is not. */
  servers: { configs: Record<string, MCPServerConfig>; errors: Map<string, ToolgateError> };
}

/** Finds the servers. Reading files takes a while; what was disconnected meanwhile must not come back by it. */
export async function discoverServers(
  registry: ServerRegistry,
  loadConfigs: () => Promise<LoadedConfigs>,
): Promise<DiscoveredServers> {
  const { removals } = registry;
  const before = removals.now;
  const loaded = await loadConfigs();
  const isRemoved = (name: string): boolean => removals.isRemovedSince(name, before) && !registry.starts.has(name);
  const found = Object.entries(loaded.configs);
  const configs = Object.fromEntries(found.filter(([name]) => !isRemoved(name)));
  const gone = found.filter(([name]) => isRemoved(name));
  return { loaded, servers: { configs, errors: new Map(gone.map(([name]) => [name, closedError(name)])) } };
}
