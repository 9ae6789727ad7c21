import type { CacheDirectoryOptions } from "./cache-directory.ts";
import { toolCacheDirectory } from "./cache-directory.ts";
import { FileStore } from "./file-store.ts";
import { MCPToolCache } from "./mcp-tool-cache.ts";
import type { MCPToolCacheOptions } from "./mcp-tool-cache.ts";
import { createStoreOf } from "./store-adapters.ts";
import type { ImportModule } from "./store-adapters.ts";

/** Options of {@link createToolCache}. */
export interface CreateToolCacheOptions extends Omit<MCPToolCacheOptions, "store">, CacheDirectoryOptions {
  /**
   * `memory:`, `redis://…`, `valkey://…`, `postgres://…` or `sqlite:…`. A password in it is a secret and never logged.
   * @default unset: files in `directory`
   */
  uri?: string;
  /** Directory of the embedded store, made when needed. @default {@link toolCacheDirectory} */
  directory?: string;
  /** Imports a Keyv adapter by its package name. @default from this package's place in `node_modules` */
  importModule?: ImportModule;
}

/**
 * Makes a tool cache on the embedded store, or on the one that a URI names. Opens nothing before its first use; nothing
 * is shared between instances in memory.
 *
 * @throws `ToolgateError` `CONFIG_INVALID` when the URI names no known store, or one whose Keyv adapter is not
 *   installed; the message gives the command that installs it.
 */
export function createToolCache(options: CreateToolCacheOptions = {}): MCPToolCache {
  const { uri, directory, env, home, platform, importModule, ...rest } = options;
  const store =
    uri === undefined
      ? new FileStore({
          directory: directory ?? toolCacheDirectory(definedOnly({ env, home, platform })),
          ...(rest.now === undefined ? {} : { now: rest.now }),
        })
      : createStoreOf(uri, importModule);
  return new MCPToolCache({ ...rest, store });
}

function definedOnly(options: {
  [Key in keyof CacheDirectoryOptions]: CacheDirectoryOptions[Key] | undefined;
}): CacheDirectoryOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
