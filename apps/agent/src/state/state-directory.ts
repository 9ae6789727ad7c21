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
export function stateDirectory(places: HostPlaces): string {
  return placeOf(places, { variable: "XDG_STATE_HOME", unix: [".local", "state"], mac: "Application Support" });
}

/**
 * Where the embedded tool cache is kept: `$XDG_CACHE_HOME/toolgate`, else `~/.cache/toolgate`; macOS:
 * `~/Library/Caches/toolgate`; Windows: `%LOCALAPPDATA%\toolgate\Cache`.
 */
export function cacheDirectory(places: HostPlaces): string {
  const directory = placeOf(places, { variable: "XDG_CACHE_HOME", unix: [".cache"], mac: "Caches" });
  return places.platform === "win32" ? win32.join(directory, "Cache") : directory;
}

interface Place {
  variable: string;
  unix: readonly string[];
  mac: string;
}

function placeOf({ home, env, platform }: HostPlaces, place: Place): string {
  if (platform === "win32") {
    return win32.join(env["LOCALAPPDATA"] || win32.join(home, "AppData", "Local"), "toolgate");
  }
  const configured = env[place.variable];
  // The base directory specification has relative values ignored.
  if (configured !== undefined && posix.isAbsolute(configured)) return posix.join(configured, "toolgate");
  if (platform === "darwin") return posix.join(home, "Library", place.mac, "toolgate");
  return posix.join(home, ...place.unix, "toolgate");
}
