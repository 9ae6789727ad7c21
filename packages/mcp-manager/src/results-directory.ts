import { homedir } from "node:os";
import { posix, win32 } from "node:path";

/** Where to look for the user's cache directory. */
export interface ResultsDirectoryOptions {
  /** @default process.env */
  env?: Record<string, string | undefined>;
  /** @default the user's home directory */
  home?: string;
  /** @default process.platform */
  platform?: NodeJS.Platform;
}

/**
 * Where results that were too large are kept: `$XDG_CACHE_HOME/toolgate/results`, else `~/.cache/toolgate/results`; on
 * macOS `~/Library/Caches/toolgate/results`, on Windows `%LOCALAPPDATA%\toolgate\Cache\results`. Reads nothing from disk.
 */
export function resultsDirectory(options: ResultsDirectoryOptions = {}): string {
  const { env = process.env, home = homedir(), platform = process.platform } = options;
  if (platform === "win32") {
    const local = env["LOCALAPPDATA"];
    const base = local !== undefined && win32.isAbsolute(local) ? local : win32.join(home, "AppData", "Local");
    return win32.join(base, "toolgate", "Cache", "results");
  }
  const configured = env["XDG_CACHE_HOME"];
  // The base directory specification has relative values ignored.
  if (configured !== undefined && posix.isAbsolute(configured)) return posix.join(configured, "toolgate", "results");
  if (platform === "darwin") return posix.join(home, "Library", "Caches", "toolgate", "results");
  return posix.join(home, ".cache", "toolgate", "results");
}
