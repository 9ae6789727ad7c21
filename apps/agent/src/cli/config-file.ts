import type { CapabilityProvider, LoadContext, MCPServerItem } from "@toolgate/capability-discovery";
import { createFileProvider } from "@toolgate/capability-discovery";
import { ToolgateError } from "@toolgate/contracts";

/** Id of the provider behind `--config`. */
const CONFIG_FILE_PROVIDER = "config";

/**
 * The provider of a file that was named with `--config`: its servers win over all others, and are the user's own.
 *
 * @throws ToolgateError `CONFIG_UNREADABLE` when the file is not there, cannot be read or does not parse
 */
export async function createConfigFileProvider(
  path: string,
  context: LoadContext,
): Promise<CapabilityProvider<MCPServerItem>> {
  const file = createFileProvider({
    id: CONFIG_FILE_PROVIDER,
    displayName: "--config",
    priority: 1000,
    files: { user: () => [path] },
    references: ["${NAME}", "${NAME:-default}", "${env:NAME}"],
    entry: { envFile: true },
  });
  const provider: CapabilityProvider<MCPServerItem> = {
    ...file,
    async load(current) {
      const { items, warnings = [] } = await file.load(current);
      return {
        items: items.map((item) => {
          const { _source: source } = item;
          return { ...item, _source: { ...source, level: "runtime" as const } };
        }),
        warnings,
      };
    },
  };
  const isThere = ((await file.files?.(context)) ?? []).some((found) => found.exists);
  if (!isThere) throw unreadable(path, "it does not exist");
  const { warnings = [] } = await file.load(context);
  const lost = warnings.find((warning) => warning.server === undefined && warning.path === path);
  if (lost !== undefined) throw unreadable(path, lost.message);
  return provider;
}

function unreadable(path: string, reason: string): ToolgateError {
  return new ToolgateError("CONFIG_UNREADABLE", `The file ${path} named with --config cannot be used: ${reason}`);
}
