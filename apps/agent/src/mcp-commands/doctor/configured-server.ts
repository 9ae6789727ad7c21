import { resolve } from "node:path";

import type { MCPServerConfig, SourceMeta } from "@toolgate/contracts";
import type { ConfigEntry, LoadedConfigs } from "@toolgate/mcp-manager";

import type { CommandContext } from "../command-context.ts";

/** An entry as the checks look at it. */
export interface ConfiguredServer {
  name: string;
  config: MCPServerConfig;
  source?: SourceMeta;
  entry: ConfigEntry;
}

/** The servers that are to be started. */
export function listUsedServers(loaded: LoadedConfigs): ConfiguredServer[] {
  return Object.entries(loaded.configs).map(([name, config]) => {
    const source = loaded.sources[name];
    return { name, config, ...(source === undefined ? {} : { source }), entry: loaded.entries[name] ?? {} };
  });
}

/** All entries of all files: also those that are disabled, taken out by a filter or shadowed. */
export function listAllEntries(loaded: LoadedConfigs): ConfiguredServer[] {
  const unused = Object.entries({ ...loaded.disabled, ...loaded.filtered });
  return [
    ...listUsedServers(loaded),
    ...unused.map(([name, { config, source }]) => ({ name, config, source, entry: loaded.entries[name] ?? {} })),
    ...loaded.shadowed.map(({ name, config, definition, _source: source }) => ({
      name,
      config,
      source,
      entry: { definition },
    })),
  ];
}

/** What every finding about a server says of it. */
export function subjectFields({ name, source }: ConfiguredServer): { server: string; path?: string } {
  return source === undefined ? { server: name } : { server: name, path: source.path };
}

/** How a fix speaks of the entry: `the entry x in /path`. */
export function nameEntry(server: string, path: string | undefined): string {
  return path === undefined ? `the entry ${server}` : `the entry ${server} in ${path}`;
}

/** The folder that the server's process starts in. */
export function workingDirectoryOf({ config, entry }: ConfiguredServer, context: CommandContext): string {
  const base = entry.projectDirectory ?? context.cwd;
  if (config.type === "http" || config.type === "sse" || config.cwd === undefined) return base;
  return resolve(base, config.cwd);
}
