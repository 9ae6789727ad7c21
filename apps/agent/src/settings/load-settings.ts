import { fileURLToPath } from "node:url";

import type { CapabilityProvider, MCPServerItem, NativeSettings, ToolgatePlugin } from "@toolgate/capability-discovery";
import { loadNativeSettings, loadPlugins, mcpProviders } from "@toolgate/capability-discovery";
import type { DiscoveryWarning } from "@toolgate/contracts";
import type { LoadConfigsOptions } from "@toolgate/mcp-manager";

/** Where settings are looked for. */
export interface SettingsPlaces {
  cwd: string;
  home: string;
  env: Record<string, string | undefined>;
  platform: NodeJS.Platform;
}

/** The settings that a session goes by. */
export interface LoadedSettings {
  settings: NativeSettings;
  /** The plugins that the user's settings name. */
  plugins: ToolgatePlugin[];
  warnings: DiscoveryWarning[];
}

/**
 * Reads the native settings and loads the user's plugins. What a project sets and what could run or send something is held back, with a warning that
 * names it. Never rejects because of a file.
 */
export async function loadSettings(places: SettingsPlaces): Promise<LoadedSettings> {
  const { settings, projectSettings, pluginsFile, warnings, files } = await loadNativeSettings(places);
  const { plugins, warnings: pluginWarnings } = await loadSettingsPlugins(settings, pluginsFile ?? places.cwd);
  warnings.push(...pluginWarnings);
  const held = Object.keys(projectSettings);
  if (held.length === 0) return { settings, plugins, warnings };
  const path = files.find((file) => file.level === "project" && file.exists)?.path ?? places.cwd;
  const message = `The project sets ${held.join(", ")}; such settings count only in the user's own configuration.`;
  return { settings, plugins, warnings: [...warnings, { path, message, provider: "toolgate" }] };
}

/**
 * Loads the plugins of settings. Package names are looked for from the file that names them, and beside this package.
 *
 * @param file - What relative paths start from.
 */
export async function loadSettingsPlugins(
  settings: Pick<NativeSettings, "plugins">,
  file: string,
): ReturnType<typeof loadPlugins> {
  if (settings.plugins === undefined) return { plugins: [], warnings: [] };
  return loadPlugins(settings.plugins, { file, alsoFrom: [fileURLToPath(import.meta.url)] });
}

/** The sources that plugins add. */
export function pluginProvidersOf(plugins: readonly ToolgatePlugin[]): CapabilityProvider<MCPServerItem>[] {
  return plugins.flatMap(({ providers = [] }) => providers);
}

/** Providers by their ids, those of plugins included: an id that a plugin's provider has stands for that provider. */
export function chooseProviders(
  ids: readonly string[],
  plugins: readonly ToolgatePlugin[],
): (string | CapabilityProvider<MCPServerItem>)[] {
  const added = new Map(pluginProvidersOf(plugins).map((provider) => [provider.id, provider]));
  return ids.map((id) => added.get(id) ?? id);
}

/**
 * The part of the settings that decides which servers there are, as options of `loadAllMCPConfigs`. Every option is
 * there, also when nothing is set: what a manager was made with must not outlive a change of the settings.
 */
export function discoveryOptionsOf(
  settings: NativeSettings,
  plugins: readonly ToolgatePlugin[] = [],
): DiscoverySettings {
  return {
    enableProjectConfig: settings.mcp.enableProjectConfig ?? true,
    providers:
      settings.providers === undefined
        ? [...mcpProviders, ...pluginProvidersOf(plugins)]
        : chooseProviders(settings.providers, plugins),
    filters: plugins.flatMap(({ filters = [] }) => filters),
    disabledProviders: settings.disabledProviders ?? [],
    disabledServers: settings.disabledServers ?? [],
    enabledServers: settings.enabledServers ?? [],
  };
}

/** What {@link discoveryOptionsOf} gives. */
export type DiscoverySettings = Required<
  Pick<
    LoadConfigsOptions,
    "enableProjectConfig" | "providers" | "filters" | "disabledProviders" | "disabledServers" | "enabledServers"
  >
>;

/** Joins warnings; the same one about the same file, found by two readers, is listed once. */
export function joinWarnings(...lists: readonly (readonly DiscoveryWarning[])[]): DiscoveryWarning[] {
  const seen = new Map<string, DiscoveryWarning>();
  for (const warning of lists.flat()) {
    const key = JSON.stringify([warning.path, warning.message, warning.line, warning.column]);
    if (!seen.has(key)) seen.set(key, warning);
  }
  return [...seen.values()];
}
