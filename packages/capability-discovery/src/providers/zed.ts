import { isRecord } from "@toolgate/contracts";

import type { EntryHook } from "../entry-item.ts";
import { createFileProvider } from "../file-provider.ts";
import type { Places } from "../places.ts";

/** Zed: the context servers of its settings. It expands nothing. */
export const zedProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  id: "zed",
  displayName: "Zed",
  priority: 40,
  files: {
    user: (places) => [zedSettingsFile(places)],
    project: [".zed/settings.json"],
  },
  servers: "context_servers",
  prepare: prepareZedEntry,
  entry: { timeoutUnit: "s" },
  writing: {
    transports: { stdio: true, http: true },
    fields: { timeout: "timeout" },
    timeoutUnit: "s",
    flag: "enabled",
    constants: { source: "custom" },
  },
});

function zedSettingsFile({ platform, home, applicationData, configHome, variable, join }: Places): string {
  switch (platform) {
    case "win32":
      return join(applicationData, "Zed", "settings.json");
    case "darwin":
      // Not in the Library, and wherever XDG_CONFIG_HOME points.
      return join(home, ".config", "zed", "settings.json");
    default:
      return join(variable("FLATPAK_XDG_CONFIG_HOME") ?? configHome, "zed", "settings.json");
  }
}

function prepareZedEntry(raw: Record<string, unknown>): ReturnType<EntryHook> {
  const { command, url, source, settings } = raw;
  // An extension brings its server itself; the entry holds its settings or switches it off.
  if (command === undefined && url === undefined && (settings !== undefined || source === "extension")) {
    return { skip: true };
  }
  if (!isRecord(command)) return { entry: raw };
  const { path, ...rest } = command;
  return { entry: { ...raw, ...rest, command: path } };
}
