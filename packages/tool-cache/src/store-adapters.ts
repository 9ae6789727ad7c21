import { createRequire } from "node:module";

import { isRecord, maskUrl, ToolgateError } from "@toolgate/contracts";

import type { ToolCacheStore } from "./tool-cache-store.ts";

const NAMESPACE = "toolgate-tools";

/** The Keyv adapters that a URI can name; each is an optional peer dependency. */
const ADAPTERS: Record<string, { packageName: string; argument: (uri: string) => unknown }> = {
  redis: { packageName: "@keyv/redis", argument: (uri) => uri },
  rediss: { packageName: "@keyv/redis", argument: (uri) => uri },
  valkey: { packageName: "@keyv/valkey", argument: (uri) => uri.replace(/^valkey:/, "redis:") },
  postgres: { packageName: "@keyv/postgres", argument: (uri) => ({ uri }) },
  postgresql: { packageName: "@keyv/postgres", argument: (uri) => ({ uri }) },
  sqlite: {
    packageName: "@keyv/sqlite",
    argument: (uri) => ({ uri: uri.startsWith("sqlite://") ? uri : uri.replace(/^sqlite:/, "sqlite://") }),
  },
};

/** Imports a package by name. */
export type ImportModule = (packageName: string) => Promise<unknown>;

/**
 * The store that a URI names. Its packages are imported at the first use of the store.
 *
 * @param importModule - Finds the adapters. Default: from this package's place in `node_modules`, where a missing one is
 *   noticed here rather than at the first use.
 * @throws {@link ToolgateError} `CONFIG_INVALID` for an unknown scheme and for an adapter that is not installed.
 */
export function createStoreOf(uri: string, importModule?: ImportModule): ToolCacheStore {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase();
  if (scheme === "memory") return lazyStore(() => openKeyv());
  const adapter = scheme === undefined || !Object.hasOwn(ADAPTERS, scheme) ? undefined : ADAPTERS[scheme];
  if (adapter === undefined) {
    const known = ["memory:", ...Object.keys(ADAPTERS).map((name) => `${name}:`)].join(", ");
    throw new ToolgateError("CONFIG_INVALID", `The tool cache has no store for ${maskUrl(uri)}. Known: ${known}`);
  }
  const { packageName, argument } = adapter;
  if (importModule === undefined) requireInstalled(packageName, uri);
  const load = importModule ?? ((name: string): Promise<unknown> => import(name));
  return lazyStore(async () => {
    const module = await load(packageName);
    const Adapter = isRecord(module) ? module["default"] : undefined;
    if (typeof Adapter !== "function") throw new Error(`${packageName} has no default export that can be constructed`);
    return openKeyv(new (Adapter as new (argument: unknown) => object)(argument(uri)));
  });
}

async function openKeyv(store?: object): Promise<ToolCacheStore> {
  const { Keyv } = await import("keyv");
  return new Keyv({ namespace: NAMESPACE, ...(store === undefined ? {} : { store }) });
}

function requireInstalled(packageName: string, uri: string): void {
  try {
    createRequire(import.meta.url).resolve(packageName);
  } catch (error) {
    // A package that is there and can only be imported is fine.
    if (!(error instanceof Error) || !("code" in error) || error.code !== "MODULE_NOT_FOUND") return;
    throw new ToolgateError(
      "CONFIG_INVALID",
      `The tool cache at ${maskUrl(uri)} needs the package ${packageName}. Install it with: npm install ${packageName}`,
      { cause: error },
    );
  }
}

/** A store that opens when it is first used, and again after a failure to open. */
function lazyStore(open: () => Promise<ToolCacheStore>): ToolCacheStore {
  const listeners: ((error: unknown) => void)[] = [];
  let opened: Promise<ToolCacheStore> | undefined;
  function store(): Promise<ToolCacheStore> {
    opened ??= open().then(
      (result) => {
        for (const listener of listeners) result.on?.("error", listener);
        return result;
      },
      (error: unknown) => {
        opened = undefined;
        throw error;
      },
    );
    return opened;
  }
  return {
    get: async (key) => (await store()).get(key),
    set: async (key, value) => (await store()).set(key, value),
    delete: async (key) => (await store()).delete(key),
    clear: async () => (await store()).clear(),
    async getMany(keys) {
      const target = await store();
      return target.getMany === undefined ? Promise.all(keys.map((key) => target.get(key))) : target.getMany(keys);
    },
    async disconnect() {
      if (opened === undefined) return;
      await (await opened).disconnect?.();
    },
    on: (_event, listener) => listeners.push(listener),
  };
}
