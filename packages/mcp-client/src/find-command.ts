import { accessSync, constants, statSync } from "node:fs";
import { posix, win32 } from "node:path";

/** Where a command is looked for. */
export interface FindCommandOptions {
  env: Record<string, string | undefined>;
  /** @default process.platform */
  platform?: NodeJS.Platform;
  /** Base of a relative path. @default process.cwd() */
  cwd?: string;
}

/** Finds the file that a command names, as the system would; undefined when there is none that can be run. */
export function findCommand(command: string, options: FindCommandOptions): string | undefined {
  const isWindows = (options.platform ?? process.platform) === "win32";
  const path = isWindows ? win32 : posix;
  const cwd = options.cwd ?? process.cwd();
  const hasDirectory = command.includes("/") || (isWindows && command.includes("\\"));
  const directories = hasDirectory ? [cwd] : searchPath(options.env, isWindows);
  const endings = isWindows ? windowsEndings(command, options.env) : [""];
  for (const directory of directories) {
    for (const ending of endings) {
      const file = path.resolve(cwd, directory, `${command}${ending}`);
      if (canRun(file, isWindows)) return file;
    }
  }
  return undefined;
}

/** The directories in which a command without a directory is looked for. */
export function searchPath(env: Record<string, string | undefined>, isWindows: boolean): string[] {
  const name = isWindows ? Object.keys(env).find((key) => key.toUpperCase() === "PATH") : "PATH";
  const value = name === undefined ? undefined : env[name];
  return (value ?? "").split(isWindows ? ";" : ":").filter((directory) => directory !== "");
}

function windowsEndings(command: string, env: Record<string, string | undefined>): string[] {
  const name = Object.keys(env).find((key) => key.toUpperCase() === "PATHEXT");
  const endings = ((name === undefined ? undefined : env[name]) ?? ".COM;.EXE;.BAT;.CMD").split(";").filter(Boolean);
  const hasEnding = endings.some((ending) => command.toUpperCase().endsWith(ending.toUpperCase()));
  return hasEnding ? [""] : endings.map((ending) => ending.toLowerCase());
}

function canRun(file: string, isWindows: boolean): boolean {
  try {
    if (!statSync(file).isFile()) return false;
    // Windows decides by the name alone.
    if (!isWindows) accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
