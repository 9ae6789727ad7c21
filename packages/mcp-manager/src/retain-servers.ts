import { ToolgateError } from "@toolgate/contracts";

import type { LoadedConfigs } from "./load-configs.ts";
import type { WantedServers } from "./reconcile.ts";
import type { ServerRegistry, ServerStart } from "./server-registry.ts";

/**
 * What is wanted after a discovery: what was found, and known servers whose file or entry could not be used this time, as
 * they are. A file is often read while somebody is still editing it; that must not end the servers in it.
 */
export function retainServers(
  loaded: Pick<LoadedConfigs, "configs" | "sources" | "entries" | "disabled" | "filtered" | "warnings">,
  registry: ServerRegistry,
): { wanted: WantedServers; errors: Map<string, ToolgateError> } {
  const wanted: WantedServers = {
    configs: { ...loaded.configs },
    sources: { ...loaded.sources },
    entries: { ...loaded.entries },
  };
  const errors = new Map<string, ToolgateError>();
  for (const [name, start] of registry.starts) {
    if ([loaded.configs, loaded.disabled, loaded.filtered].some((servers) => Object.hasOwn(servers, name))) continue;
    const problem = findUnusable(start, registry, loaded);
    if (problem === undefined) continue;
    const source = registry.sources.get(name);
    wanted.configs[name] = start.config;
    wanted.entries[name] = start.entry;
    if (source !== undefined) wanted.sources[name] = source;
    errors.set(name, problem);
  }
  return { wanted, errors };
}

function findUnusable(
  { name }: ServerStart,
  registry: ServerRegistry,
  { warnings }: Pick<LoadedConfigs, "warnings">,
): ToolgateError | undefined {
  const path = registry.sources.get(name)?.path;
  const warning = warnings.find(
    ({ kind, path: where, server }) =>
      where === path && (kind === "unusable-file" || (kind === "invalid-entry" && server === name)),
  );
  if (warning === undefined) return undefined;
  const code = warning.kind === "unusable-file" ? "CONFIG_UNREADABLE" : "CONFIG_INVALID";
  return new ToolgateError(code, `${name} stays as it is: ${warning.path}: ${warning.message}`, { server: name });
}
