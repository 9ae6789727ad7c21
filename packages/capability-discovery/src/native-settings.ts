import { isRecord } from "@toolgate/contracts";
import type { DiscoveryWarning, SourceLevel } from "@toolgate/contracts";

import type { LoadContext, SourceFile } from "./capability.ts";
import { readDocument } from "./document.ts";
import { nativeProjectFiles, nativeUserFiles } from "./native-files.ts";
import { checkSettings } from "./native-settings-check.ts";
import type { ConfigFormat } from "./parse-config.ts";
import { createPlaces, findProjectFolders } from "./places.ts";

/** Settings of the MCP runtime. Further keys of the user's files are kept as they are written. */
export interface NativeMCPSettings {
  /** Whether servers of project files are used. A project can only switch this off. */
  enableProjectConfig?: boolean;
  /** Milliseconds that a session's start waits for servers. */
  startupTimeoutMs?: number;
  /** What happens after a server has dropped. */
  reconnect?: "manual" | "on-call" | "background";
  /**
   * What a reload does: `manual` restarts all servers, `diff` those whose entry has changed, `watch` does that by itself
   * when a file changes.
   */
  reload?: "manual" | "diff" | "watch";
  /** How many stdio servers may boot at once. */
  maxConcurrentStarts?: number;
  /**
   * How much of a tool's result is handed over: bytes of text in all, bytes of one image or sound in base64, and where and
   * how long the whole is kept; `false`: everything. Counts in the user's files only.
   */
  outputLimits?:
    | false
    | { textBytes?: number; mediaBytes?: number; directory?: string; maxFiles?: number; maxAgeMs?: number };
  /**
   * What is kept in files of the last run of each server: nothing, what it wrote to stderr and which messages there were,
   * or also what they said. Only the user's own files say it. @default "messages"
   */
  logs?: "off" | "messages" | "protocol";
  [setting: string]: unknown;
}

/** Settings of Toolgate's own configuration files, without the servers. */
export interface NativeSettings {
  mcp: NativeMCPSettings;
  /** Ids of the only providers to ask. */
  providers?: string[];
  disabledProviders?: string[];
  /** Names of servers that are disabled, whatever file they come from. */
  disabledServers?: string[];
  /** Names of servers that are enabled, whatever their file says. */
  enabledServers?: string[];
  /** Modules that add sources and filters; see `loadPlugins`. */
  plugins?: unknown[];
  model?: unknown;
  approval?: unknown;
  /** `native: false`: the app offers no tools beside those of servers. */
  tools?: { native?: boolean };
  exa?: { baseUrl?: string };
}

/** Settings that could run or send something: a project's own are held back until the user has approved them. */
export type RestrictedSettings = Pick<
  NativeSettings,
  "enabledServers" | "plugins" | "model" | "approval" | "tools" | "exa"
>;

/** What {@link loadNativeSettings} found. */
export interface NativeSettingsResult {
  /** The user's settings, with those of the project that can do no harm. */
  settings: NativeSettings;
  /** The project's settings that count only after approval. */
  projectSettings: RestrictedSettings;
  /** The user's file that named the plugins: what their relative paths start from. */
  pluginsFile?: string;
  warnings: DiscoveryWarning[];
  /** All files that were looked for. */
  files: SourceFile[];
}

const RESTRICTED = ["enabledServers", "plugins", "model", "approval", "tools", "exa"] as const;

/** A file with settings; `settings` is there when it could be used. */
interface SettingsFile {
  path: string;
  level: SourceLevel;
  exists: boolean;
  settings?: Partial<NativeSettings>;
}

/**
 * Reads Toolgate's own settings. Of several files of one level the first that has a setting counts, in the order in
 * which the native provider reads them; lists of what is disabled are united. Never rejects: what cannot be used is a
 * warning.
 */
export async function loadNativeSettings(context: LoadContext): Promise<NativeSettingsResult> {
  const places = createPlaces(context);
  const folders = findProjectFolders(context);
  const located: { path: string; level: SourceLevel; format?: ConfigFormat; key?: string }[] = [
    ...nativeUserFiles(places).map((path) => ({ path, level: "user" as const })),
    ...folders.flatMap((folder) =>
      nativeProjectFiles
        .filter(({ serversOnly }) => serversOnly !== true)
        .map((file) => ({ ...file, path: places.join(folder, ...file.path.split("/")), level: "project" as const })),
    ),
  ];
  const warnings: DiscoveryWarning[] = [];
  const files = await Promise.all(
    located.map(async ({ path, level, format, key }): Promise<SettingsFile> => {
      const document = await readDocument(context, path, format);
      if (document.state === "absent") return { path, level, exists: false };
      // The native provider reads the same files, but it may be disabled.
      if (document.state === "unusable") warnings.push({ ...document.warning, provider: "toolgate" });
      if (document.state !== "parsed") return { path, level, exists: true };
      const value = key === undefined ? document.value : ownValue(document.value, key);
      const warn = (message: string): void => {
        warnings.push({ path, message, provider: "toolgate" });
      };
      return { path, level, exists: true, settings: checkSettings(value, warn) };
    }),
  );
  const user = mergeLevel(files.filter(({ level }) => level === "user"));
  const project = mergeLevel(files.filter(({ level }) => level === "project"));
  const pluginsFile = files.find(({ level, settings }) => level === "user" && settings?.plugins !== undefined)?.path;
  return {
    settings: mergeProject(user, project),
    ...(pluginsFile === undefined ? {} : { pluginsFile }),
    projectSettings: Object.fromEntries(
      RESTRICTED.filter((key) => project[key] !== undefined).map((key) => [key, project[key]]),
    ),
    warnings,
    files: files.map(({ path, level, exists }) => ({ path, level, exists })),
  };
}

function ownValue(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function mergeLevel(files: readonly SettingsFile[]): NativeSettings {
  const merged: NativeSettings = { mcp: {} };
  for (const { settings } of files) {
    if (settings === undefined) continue;
    const lists = uniteDisabled(merged, settings);
    Object.assign(merged, { ...settings, ...merged, ...lists, mcp: { ...settings.mcp, ...merged.mcp } });
  }
  return merged;
}

function mergeProject(user: NativeSettings, project: NativeSettings): NativeSettings {
  const mcp: NativeMCPSettings = { ...user.mcp, ...pickHarmless(project.mcp) };
  // A project may keep its servers out of a session; it cannot bring them into one that does without.
  if (user.mcp.enableProjectConfig === false) mcp.enableProjectConfig = false;
  else if (project.mcp.enableProjectConfig === true && user.mcp.enableProjectConfig === undefined) {
    delete mcp.enableProjectConfig;
  }
  const providers = user.providers ?? project.providers;
  return {
    ...user,
    ...uniteDisabled(user, project),
    ...(providers === undefined ? {} : { providers }),
    mcp,
  };
}

function pickHarmless({
  enableProjectConfig,
  startupTimeoutMs,
  reconnect,
  reload,
  maxConcurrentStarts,
}: NativeMCPSettings): NativeMCPSettings {
  const picked = { enableProjectConfig, startupTimeoutMs, reconnect, reload, maxConcurrentStarts };
  return Object.fromEntries(Object.entries(picked).filter(([, value]) => value !== undefined));
}

function uniteDisabled(
  a: Partial<NativeSettings>,
  b: Partial<NativeSettings>,
): Pick<NativeSettings, "disabledProviders" | "disabledServers"> {
  const unite = (key: "disabledProviders" | "disabledServers"): Partial<NativeSettings> =>
    a[key] === undefined && b[key] === undefined ? {} : { [key]: [...new Set([...(a[key] ?? []), ...(b[key] ?? [])])] };
  return { ...unite("disabledProviders"), ...unite("disabledServers") };
}
