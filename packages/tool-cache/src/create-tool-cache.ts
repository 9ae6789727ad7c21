import { homedir } from "node:os";
import { posix, win32 } from "node:path";

import type { Logger } from "@toolgate/contracts";
import { Keyv } from "keyv";
import type { KeyvStoreAdapter } from "keyv";

import { FileStore } from "./file-store.ts";
import { MCPToolCache } from "./mcp-tool-cache.ts";
import { createRemoteStore } from "./remote-store.ts";

/** Options of {@link createToolCache}. */
export interface CreateToolCacheOptions {
  /**
   * Where to keep entries: nothing for files in `directory`, `memory:`, or the address of a store that Keyv has an
   * adapter for, such as `redis://localhost:6379`. The adapter is installed by the user and loaded at the first access.
   */
  uri?: string;
  /** Directory of the embedded store; created when needed. @default the user's cache directory, see {@link toolCacheDirectory} */
  directory?: string;
  /** Milliseconds after which an entry is a miss. @default 30 days */
  ttl?: number;
  /** Milliseconds since 1970. @default Date.now */
  now?: () => number;
  /** Hears of a store that fails, once. @default silent */
  logger?: Logger;
  /** Used for the default directory. @default process.env */
  env?: Record<string, string | undefined>;
  /** Used for the default directory. @default os.homedir() */
  home?: string;
}

/**
 * Makes a tool cache. Nothing is opened or created before the first access, and instances share nothing in memory.
 *
 * @throws ToolgateError `CONFIG_INVALID` when there is no adapter for the address.
 */
export function createToolCache(options: CreateToolCacheOptions = {}): MCPToolCache {
  // Keyv's own prefix would only make file names longer: the directory is the namespace.
  const store = new Keyv({ store: createStore(options), useKeyPrefix: false });
  return new MCPToolCache({
    store,
    ...(options.ttl === undefined ? {} : { ttl: options.ttl }),
    ...(options.now === undefined ? {} : { now: options.now }),
    ...(options.logger === undefined ? {} : { logger: options.logger }),
  });
}

/**
 * Where the embedded store keeps its files: `toolgate/tools` in `$XDG_CACHE_HOME` or `~/.cache`, `~/Library/Caches` on
 * macOS, `%LOCALAPPDATA%` on Windows.
 */
export function toolCacheDirectory(
  context: { env?: Record<string, string | undefined>; home?: string; platform?: NodeJS.Platform } = {},
): string {
  const { env = process.env, home = homedir(), platform = process.platform } = context;
  if (platform === "win32") {
    const base = env["LOCALAPPDATA"] || win32.join(home, "AppData", "Local");
    return win32.join(base, "toolgate", "Cache", "tools");
  }
  const standard = platform === "darwin" ? posix.join(home, "Library", "Caches") : posix.join(home, ".cache");
  return posix.join(env["XDG_CACHE_HOME"] || standard, "toolgate", "tools");
}

function createStore(options: CreateToolCacheOptions): KeyvStoreAdapter | Map<string, unknown> {
  if (options.uri === undefined) return new FileStore(options.directory ?? toolCacheDirectory(options));
  if (options.uri === "memory:") return new Map();
  return createRemoteStore(options.uri);
}
