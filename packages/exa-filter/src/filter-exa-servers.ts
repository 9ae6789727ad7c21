import type { ConfigFilter, MCPServerConfig, SourceMeta } from "@toolgate/contracts";

import { extractExaApiKey } from "./extract-exa-api-key.ts";
import { isExaServer } from "./is-exa-server.ts";

/** What is left without the Exa servers, and their keys. */
export interface ExaFilterResult {
  configs: Record<string, MCPServerConfig>;
  sources: Record<string, SourceMeta>;
  /** In the order of the servers, each key once. */
  exaApiKeys: string[];
}

/** Takes the Exa servers out of what discovery found. Its arguments stay as they are. */
export function filterExaServers(
  configs: Record<string, MCPServerConfig>,
  sources: Record<string, SourceMeta>,
): ExaFilterResult {
  const exa = Object.entries(configs).filter(([name, config]) => isExaServer(name, config));
  const names = new Set(exa.map(([name]) => name));
  const keys = exa.flatMap(([, config]) => extractExaApiKey(config) ?? []);
  return { configs: without(configs, names), sources: without(sources, names), exaApiKeys: [...new Set(keys)] };
}

/** The same as a filter for `loadAllMCPConfigs`, which uses it by default. */
export const exaFilter: ConfigFilter = {
  name: "exa",
  apply: ({ configs, sources }) => filterExaServers(configs, sources),
};

// Server names are arbitrary, so the records have no prototype that one of them could stand for.
function without<T>(record: Record<string, T>, names: ReadonlySet<string>): Record<string, T> {
  const kept: Record<string, T> = Object.create(null) as Record<string, T>;
  for (const [name, value] of Object.entries(record)) if (!names.has(name)) kept[name] = value;
  return kept;
}
