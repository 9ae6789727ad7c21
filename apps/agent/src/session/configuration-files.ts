import { createCapabilityRegistry, loadNativeSettings, mcpCapability } from "@toolgate/capability-discovery";
import type { LoadConfigsOptions } from "@toolgate/mcp-manager";

import type { SettingsPlaces } from "../settings/load-settings.ts";

/** All files that decide which servers there are, also those that do not exist. */
export async function configurationFiles(
  places: SettingsPlaces,
  { providers, disabledProviders }: Pick<LoadConfigsOptions, "providers" | "disabledProviders">,
): Promise<string[]> {
  const [sources, settings] = await Promise.all([
    createCapabilityRegistry().describeSources(mcpCapability, {
      ...places,
      ...(providers === undefined ? {} : { providers }),
      ...(disabledProviders === undefined ? {} : { disabledProviders }),
    }),
    loadNativeSettings(places),
  ]);
  const paths = [...sources.flatMap(({ files }) => files), ...settings.files].map(({ path }) => path);
  // What stands in angle brackets is an environment variable.
  return [...new Set(paths)].filter((path) => !path.startsWith("<"));
}
