import { accessSync, constants, statSync } from "node:fs";
import { posix, win32 } from "node:path";

import { readVariable } from "./child-environment.ts";

/** Where a command is looked for. */
export interface FindCommandOptions {
  /** The environment whose PATH (and PATHEXT) counts: the child's. */
  env: Readonly<Record<string, string | undefined>>;
  /** @default `process.platform` */
  platform?: NodeJS.Platform;
  /** Base of a command that is a relative path. @default `process.cwd()` */
  cwd?: string;
  /** Whether a path is a file that can be run. @default asks the file system */
  isExecutable?: ((path: string) => boolean) | undefined;
}

const DEFAULT_PATH_EXTENSIONS = ".COM;.EXE;.BAT;.CMD";

/** Finds the file that a command stands for, as the system would: by PATH, and on Windows by PATHEXT. */
export function findCommand(command: string, options: FindCommandOptions): string | undefined {
  const { env, platform = process.platform, cwd = process.cwd() } = options;
  const isExecutable = options.isExecutable ?? ((path: string) => isExecutableFile(path, platform));
  const path = platform === "win32" ? win32 : posix;
  const isPath = platform === "win32" ? /[\\/:]/.test(command) : command.includes("/");
  const directories = isPath ? [""] : searchedDirectories(env, platform);
  for (const directory of directories) {
    const base = isPath ? path.resolve(cwd, command) : path.resolve(cwd, directory, command);
    for (const extension of extensionsOf(command, env, platform)) {
      if (isExecutable(base + extension)) return base + extension;
    }
  }
  return undefined;
}

/** The folders of PATH, in order. */
export function searchedDirectories(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string[] {
  const value = readVariable(env, "PATH", platform) ?? (platform === "win32" ? "" : "/usr/bin:/bin");
  return value
    .split(platform === "win32" ? ";" : ":")
    .map((directory) => (platform === "win32" ? directory.replace(/^"(.*)"$/, "$1") : directory))
    .filter((directory) => directory !== "");
}

function extensionsOf(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string[] {
  if (platform !== "win32") return [""];
  const configured = readVariable(env, "PATHEXT", platform);
  const known = (configured === undefined || configured === "" ? DEFAULT_PATH_EXTENSIONS : configured).split(";");
  const extensions = known.filter((extension) => extension !== "");
  // `npm install` puts a shell script "npx" beside "npx.cmd", which Windows cannot run.
  const hasOne = extensions.some((extension) => command.toUpperCase().endsWith(extension.toUpperCase()));
  return hasOne ? ["", ...extensions] : extensions;
}

function isExecutableFile(path: string, platform: NodeJS.Platform): boolean {
  try {
    if (!statSync(path).isFile()) return false;
    if (platform !== "win32") accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
