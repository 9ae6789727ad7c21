import { posix, win32 } from "node:path";

import type { LoadContext } from "./capability.ts";
import { pathExists } from "./config-file.ts";
import { oncePerLoad } from "./once-per-load.ts";

/** Names of the folders in which programs keep their configuration, for the platform of the context. */
export interface Places extends Pick<LoadContext, "cwd" | "home" | "env" | "platform"> {
  /** `$XDG_CONFIG_HOME`, else `.config` in the home directory; on every platform. */
  readonly configHome: string;
  /** Linux: `configHome`; macOS: `Library/Application Support`; Windows: `%APPDATA%`. */
  readonly applicationData: string;
  /** Windows: `%LOCALAPPDATA%`; elsewhere `applicationData`. */
  readonly localApplicationData: string;
  /** Windows: `%ProgramData%`; macOS: `/Library/Application Support`; Linux: `/etc`. */
  readonly machineData: string;
  /** An environment variable; an empty one counts as unset. On Windows the case of the name is ignored. */
  readonly variable: (name: string) => string | undefined;
  /** Joins with the separator that the base has. */
  readonly join: (base: string, ...segments: string[]) => string;
}

/** The folders of a context. Reads nothing. */
export function createPlaces(context: LoadContext): Places {
  return oncePerLoad(context, "places", () => workOutPlaces(context));
}

function workOutPlaces(context: LoadContext): Places {
  const variable = (name: string): string | undefined => lookUpVariable(context, name) || undefined;
  const { home, platform } = context;
  const xdg = variable("XDG_CONFIG_HOME");
  // The base directory specification has relative values ignored.
  const configHome = xdg !== undefined && isAbsolutePath(xdg) ? xdg : joinPath(home, ".config");
  const base = { cwd: context.cwd, home, env: context.env, platform, configHome, variable, join: joinPath };
  if (platform === "win32") {
    const applicationData = variable("APPDATA") ?? joinPath(home, "AppData", "Roaming");
    const localApplicationData = variable("LOCALAPPDATA") ?? joinPath(home, "AppData", "Local");
    return {
      ...base,
      applicationData,
      localApplicationData,
      machineData: variable("ProgramData") ?? "C:\\ProgramData",
    };
  }
  if (platform === "darwin") {
    const applicationData = joinPath(home, "Library", "Application Support");
    const machineData = "/Library/Application Support";
    return { ...base, applicationData, localApplicationData: applicationData, machineData };
  }
  return { ...base, applicationData: configHome, localApplicationData: configHome, machineData: "/etc" };
}

/** An environment variable as it is set; on Windows the case of the name is ignored. */
export function lookUpVariable(context: Pick<LoadContext, "env" | "platform">, name: string): string | undefined {
  if (Object.hasOwn(context.env, name)) return context.env[name];
  if (context.platform !== "win32") return undefined;
  const upper = name.toUpperCase();
  const key = Object.keys(context.env).find((candidate) => candidate.toUpperCase() === upper);
  return key === undefined ? undefined : context.env[key];
}

/**
 * Joins path segments in the style of the base: the style belongs to the path, not to the machine, so that paths of
 * another platform can be worked out too.
 */
export function joinPath(base: string, ...segments: string[]): string {
  return pathStyle(base).join(base, ...segments);
}

/** Whether a path is absolute on either platform. */
function isAbsolutePath(path: string): boolean {
  return pathStyle(path).isAbsolute(path);
}

/** Resolves a path against an absolute folder, in the folder's style. */
export function resolvePath(folder: string, path: string): string {
  return isAbsolutePath(path) ? path : pathStyle(folder).join(folder, path);
}

/** Last segment of a path, in the path's own style. */
export function baseName(path: string): string {
  return pathStyle(path).basename(path);
}

/** The separator of a path's style. */
export function separatorOf(path: string): string {
  return pathStyle(path).sep;
}

function pathStyle(path: string): typeof posix {
  return /^[A-Za-z]:|^\\/.test(path) ? win32 : posix;
}

/**
 * The folders in which project files are looked for: from the working directory up to the root of its repository,
 * nearest first; outside a repository the working directory alone. Never above the repository.
 */
export function findProjectFolders(context: LoadContext): readonly string[] {
  return oncePerLoad(context, "project folders", () => lookForProjectFolders(context));
}

function lookForProjectFolders(context: LoadContext): string[] {
  const style = pathStyle(context.cwd);
  const first = style.normalize(context.cwd);
  const folders = [first];
  for (let folder = first, parent = style.dirname(folder); parent !== folder;) {
    folders.push(parent);
    folder = parent;
    parent = style.dirname(folder);
  }
  const root = folders.findIndex((folder) => pathExists(joinPath(folder, ".git")));
  return folders.slice(0, root === -1 ? 1 : root + 1);
}
