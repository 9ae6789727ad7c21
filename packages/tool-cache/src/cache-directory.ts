import { homedir } from "node:os";
import { posix, win32 } from "node:path";
import process from "node:process";

/** Where to look for the user's cache directory. */
export interface CacheDirectoryOptions {
  /** @default process.env */
  env?: Record<string, string | undefined>;
  /** @default the user's home directory */
  home?: string;
  /** @default process.platform */
  platform?: NodeJS.Platform;
}

/**
 * The directory of the embedded store: `$XDG_CACHE_HOME/toolgate/tools`, else `~/.cache/toolgate/tools`; on macOS
 * `~/Library/Caches/toolgate/tools`, on Windows `%LOCALAPPDATA%\toolgate\Cache\tools`. Reads nothing from disk.
 */
export function toolCacheDirectory(options: CacheDirectoryOptions = {}): string {
  const { env = process.env, home = homedir(), platform = process.platform } = options;
  const xdg = env["XDG_CACHE_HOME"];
  if (platform === "win32") {
    const local = env["LOCALAPPDATA"];
    const base = local !== undefined && win32.isAbsolute(local) ? local : win32.join(home, "AppData", "Local");
    return win32.join(base, "toolgate", "Cache", "tools");
  }
  // The XDG rules say that a relative path is to be ignored.
  if (xdg !== undefined && posix.isAbsolute(xdg)) return posix.join(xdg, "toolgate", "tools");
  if (platform === "darwin") return posix.join(home, "Library", "Caches", "toolgate", "tools");
  return posix.join(home, ".cache", "toolgate", "tools");
}
