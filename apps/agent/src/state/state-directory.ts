import { posix, win32 } from "node:path";

/** What decides where things are kept. */
export interface HostPlaces {
  home: string;
  env: Record<string, string | undefined>;
  platform: NodeJS.Platform;
}

/**
 * Where state that outlives a session is kept: `$XDG_STATE_HOME/toolgate`, else `~/.local/state/toolgate`; macOS:
 * `~/Library/Application Support/toolgate`; Windows: `%LOCALAPPDATA%\toolgate`.
 */
export function stateDirectory({ home, env, platform }: HostPlaces): string {
  if (platform === "win32") {
    return win32.join(env["LOCALAPPDATA"] || win32.join(home, "AppData", "Local"), "toolgate");
  }
  const configured = env["XDG_STATE_HOME"];
  // The base directory specification has relative values ignored.
  if (configured !== undefined && posix.isAbsolute(configured)) return posix.join(configured, "toolgate");
  if (platform === "darwin") return posix.join(home, "Library", "Application Support", "toolgate");
  return posix.join(home, ".local", "state", "toolgate");
}
