import type { MCPServerConfig, SourceMeta } from "@toolgate/contracts";
import type { LoadedConfigs } from "@toolgate/mcp-manager";

/** A server that another client has configured for the whole of the person's account. */
export interface ForeignServer {
  name: string;
  config: MCPServerConfig;
  source: SourceMeta;
  /** Whether it is switched off, in its own file or for Toolgate alone. */
  disabled: boolean;
}

/**
 * Finds the servers about which a person may want to choose: those of other clients' user-level files. What Toolgate's
 * own file and `--config` name was chosen by being written there, and project servers have an approval of their own.
 *
 * @returns sorted by client, then by name
 */
export function findForeignServers({ configs, sources, disabled }: LoadedConfigs): ForeignServer[] {
  const enabled = Object.entries(configs).flatMap(([name, config]) => {
    const source = sources[name];
    return source === undefined ? [] : [{ name, config, source, disabled: false }];
  });
  const off = Object.entries(disabled).map(([name, entry]) => ({ ...entry, name, disabled: true }));
  return [...enabled, ...off].filter(({ source }) => isForeign(source)).toSorted(compare);
}

function isForeign({ level, provider }: SourceMeta): boolean {
  return (level === "user" || level === "system") && provider !== "toolgate";
}

function compare(a: ForeignServer, b: ForeignServer): number {
  const keys = [a, b].map(({ name, source }) => [source.providerName, source.path, name].join("\n"));
  return (keys[0] ?? "") < (keys[1] ?? "") ? -1 : 1;
}
