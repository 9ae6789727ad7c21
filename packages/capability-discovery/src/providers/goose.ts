import { isRecord } from "@toolgate/contracts";

import type { EntryHook, EntryTools } from "../entry-item.ts";
import { createFileProvider } from "../file-provider.ts";

/** Extensions that run inside Goose. */
const INTERNAL_TYPES: ReadonlySet<unknown> = new Set(["builtin", "platform", "frontend", "inline_python"]);

/** Goose: those of its extensions that are MCP servers. It expands nothing; secrets come from its keyring. */
export const gooseProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  id: "goose",
  displayName: "Goose",
  priority: 45,
  files: {
    user: ({ platform, applicationData, configHome, join }) => {
      const portable = join(configHome, "goose", "config.yaml");
      return platform === "win32"
        ? [join(applicationData, "Block", "goose", "config", "config.yaml"), portable]
        : [portable];
    },
  },
  servers: "extensions",
  prepare: prepareGooseEntry,
  entry: {
    fields: { command: ["cmd", "command"], env: "envs", url: ["uri", "url"], includeTools: "available_tools" },
    timeoutUnit: "s",
  },
});

function prepareGooseEntry(raw: Record<string, unknown>, tools: EntryTools): ReturnType<EntryHook> {
  const { type, available_tools: availableTools, ...rest } = raw;
  if (INTERNAL_TYPES.has(type)) {
    return { unsupported: `the extension type ${JSON.stringify(type)}, which runs inside Goose` };
  }
  const entry: Record<string, unknown> = { ...rest, type, envs: readEnvironment(raw, tools) };
  // An empty list means all tools.
  if (!Array.isArray(availableTools) || availableTools.length > 0) entry["available_tools"] = availableTools;
  return { entry: Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined)) };
}

/** The fixed variables, and before them those that Goose would take from the environment or else from its keyring. */
function readEnvironment(raw: Record<string, unknown>, { variable, warn }: EntryTools): unknown {
  const { envs: fixed, env_keys: keys } = raw;
  if (keys === undefined || keys === null) return fixed;
  if (!Array.isArray(keys)) {
    warn('"env_keys" is not a list and is ignored');
    return fixed;
  }
  const values = keys.flatMap((key: unknown) => {
    if (typeof key !== "string" || (isRecord(fixed) && Object.hasOwn(fixed, key))) return [];
    const value = variable(key);
    if (value !== undefined) return [[key, value] as const];
    warn(`${key} of "env_keys" is not set, and the keyring of Goose is not read. Set the environment variable ${key}`);
    return [];
  });
  return values.length === 0 ? fixed : { ...Object.fromEntries(values), ...(isRecord(fixed) ? fixed : {}) };
}
