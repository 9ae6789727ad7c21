import type { ConfigFilter, DiscoveredConfigs, MCPServerConfig, SourceMeta } from "@toolgate/contracts";

import { listExaApiKeys } from "./extract-exa-api-key.ts";
import { isExaServer } from "./is-exa-server.ts";

/** What {@link filterExaServers} leaves, and what it took out. */
export interface ExaFilterResult {
  configs: Record<string, MCPServerConfig>;
  sources: Record<string, SourceMeta>;
  /** Keys of the servers taken out, in the order of the servers, each once. Secrets. */
  exaApiKeys: string[];
}

/** Takes the Exa servers out and returns their API keys. The input is not changed. */
export function filterExaServers(
  configs: Record<string, MCPServerConfig>,
  sources: Record<string, SourceMeta>,
): ExaFilterResult {
  const exa = Object.entries(configs).filter(([name, config]) => isExaServer(name, config));
  const names = new Set(exa.map(([name]) => name));
  return {
    configs: without(configs, names),
    sources: without(sources, names),
    exaApiKeys: [...new Set(exa.flatMap(([, config]) => listExaApiKeys(config)))],
  };
}

/** {@link filterExaServers} as a step of discovery; keys that earlier filters found are kept, and come first. */
export const exaFilter: ConfigFilter = {
  name: "exa",
  apply(input: DiscoveredConfigs): DiscoveredConfigs {
    const { configs, sources, exaApiKeys } = filterExaServers(input.configs, input.sources);
    return { ...input, configs, sources, exaApiKeys: [...new Set([...(input.exaApiKeys ?? []), ...exaApiKeys])] };
  },
};

function without<T>(map: Record<string, T>, names: Set<string>): Record<string, T> {
  return Object.fromEntries(Object.entries(map).filter(([name]) => !names.has(name)));
}
