import type { NativeSettings } from "@toolgate/capability-discovery";
import { loadNativeSettings, mcpProviders } from "@toolgate/capability-discovery";
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
  warnings: DiscoveryWarning[];
}

/**
 * Reads the native settings. What a project sets and what could run or send something is held back, with a warning that
 * names it. Never rejects because of a file.
 */
export async function loadSettings(places: SettingsPlaces): Promise<LoadedSettings> {
  const { settings, projectSettings, warnings, files } = await loadNativeSettings(places);
  const held = Object.keys(projectSettings);
  if (held.length === 0) return { settings, warnings };
  const path = files.find((file) => file.level === "project" && file.exists)?.path ?? places.cwd;
  const message = `The project sets ${held.join(", ")}; such settings count only in the user's own configuration.`;
  return { settings, warnings: [...warnings, { path, message, provider: "toolgate" }] };
}

/**
 * The part of the settings that decides which servers there are, as options of `loadAllMCPConfigs`. Every option is
 * there, also when nothing is set: what a manager was made with must not outlive a change of the settings.
 */
export function discoveryOptionsOf(settings: NativeSettings): DiscoverySettings {
  return {
    enableProjectConfig: settings.mcp.enableProjectConfig ?? true,
    providers: settings.providers ?? mcpProviders,
    disabledProviders: settings.disabledProviders ?? [],
    disabledServers: settings.disabledServers ?? [],
    enabledServers: settings.enabledServers ?? [],
  };
}

/** What {@link discoveryOptionsOf} gives. */
export type DiscoverySettings = Required<
  Pick<
    LoadConfigsOptions,
    "enableProjectConfig" | "providers" | "disabledProviders" | "disabledServers" | "enabledServers"
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
