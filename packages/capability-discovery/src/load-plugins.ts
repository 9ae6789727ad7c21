import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";

import { isRecord, messageOf } from "@toolgate/contracts";
import type { DiscoveryWarning } from "@toolgate/contracts";

import type { ToolgatePlugin } from "./plugin.ts";
import { withDeadline } from "./provider-deadline.ts";
import type { DiscoveryClock } from "./provider-deadline.ts";

const PLUGIN_TIMEOUT_MS = 2000;

/** Where plugins are looked for. */
export interface LoadPluginsOptions {
  /** The file that names the plugins: relative specifiers start there, and warnings name it. */
  file: string;
  /**
   * Further files from which package names are resolved, for example the host's own module. Only folders whose code the
   * user trusts belong here.
   *
   * @default none
   */
  alsoFrom?: readonly string[];
  /** Milliseconds that one plugin may take to load. @default 2000 */
  timeoutMs?: number;
  /** Where the deadline comes from. @default timers of Node */
  clock?: DiscoveryClock;
}

/** What {@link loadPlugins} gives. */
export interface LoadedPlugins {
  /** In the order of the configuration. */
  plugins: ToolgatePlugin[];
  warnings: DiscoveryWarning[];
}

/**
 * Loads the modules that the setting `plugins` names: package names, absolute paths, `file:` URLs, or paths that begin
 * with `./` or `../`. This runs their code: hand over only what the user has configured or approved. Never rejects: a
 * plugin that cannot be loaded is a warning.
 *
 * @param entries - Specifiers, or pairs of a specifier and an object of options.
 */
export async function loadPlugins(entries: readonly unknown[], options: LoadPluginsOptions): Promise<LoadedPlugins> {
  const results = await Promise.all(entries.map((entry) => loadPlugin(entry, options)));
  const plugins = results.flatMap((result) => (typeof result === "string" ? [] : [result]));
  const warnings = results.flatMap((result) =>
    typeof result === "string" ? [{ path: options.file, message: result }] : [],
  );
  return { plugins, warnings };
}

/** The plugin, or what is wrong with it. */
async function loadPlugin(entry: unknown, options: LoadPluginsOptions): Promise<ToolgatePlugin | string> {
  const [specifier, settings = {}] = Array.isArray(entry) ? (entry as unknown[]) : [entry];
  if (typeof specifier !== "string" || specifier === "" || !isRecord(settings)) {
    return `The plugin ${JSON.stringify(entry)} must be a text, or a list of a text and an object of options; it is left out.`;
  }
  const label = `The plugin ${JSON.stringify(specifier)}`;
  try {
    return await withDeadline(async () => importPlugin(specifier, settings, options), {
      milliseconds: options.timeoutMs ?? PLUGIN_TIMEOUT_MS,
      description: label,
      clock: options.clock,
      signal: undefined,
    });
  } catch (error) {
    return `${label} is left out: ${messageOf(error)}`;
  }
}

async function importPlugin(
  specifier: string,
  settings: Record<string, unknown>,
  options: LoadPluginsOptions,
): Promise<ToolgatePlugin> {
  const url = await resolveSpecifier(specifier, options);
  const loaded = (await import(/* @vite-ignore */ url)) as { default?: unknown };
  const made: unknown = typeof loaded.default === "function" ? await loaded.default(settings) : loaded.default;
  if (!isPlugin(made)) {
    throw new Error("its default export is no plugin: an object with a name, and with lists of providers or filters");
  }
  return made;
}

async function resolveSpecifier(specifier: string, { file, alsoFrom = [] }: LoadPluginsOptions): Promise<string> {
  if (isAbsolute(specifier)) return pathToFileURL(specifier).href;
  const { resolve } = await import("import-meta-resolve");
  let first: unknown;
  for (const base of [file, ...alsoFrom]) {
    try {
      return resolve(specifier, pathToFileURL(base).href);
    } catch (error) {
      first ??= error;
    }
  }
  const searched = [file, ...alsoFrom].join(" and ");
  throw new Error(`it was not found from ${searched} (${messageOf(first)}). Install it there, or correct its name.`);
}

function isPlugin(value: unknown): value is ToolgatePlugin {
  if (!isRecord(value) || typeof value["name"] !== "string") return false;
  return isListOf(value["providers"], "load") && isListOf(value["filters"], "apply");
}

function isListOf(value: unknown, method: string): boolean {
  if (value === undefined) return true;
  return Array.isArray(value) && value.every((item) => isRecord(item) && typeof item[method] === "function");
}
