import { createHash } from "node:crypto";

import { isRecord } from "@toolgate/contracts";
import type { CacheContext, MCPServerConfig } from "@toolgate/contracts";

/** Raised when entries of an earlier version must no longer be read; part of every key and of every value. */
export const CACHE_FORMAT = 1;

/**
 * The key of one server's tools: a digest, so that no part of the config, which may hold secrets, is stored in clear.
 * Two projects that declare the same server in the same way share an entry; any difference in the config parts them.
 */
export function createCacheKey(server: string, config: MCPServerConfig, context: CacheContext = {}): string {
  const identity = { format: CACHE_FORMAT, server, config, clientCapabilities: context.clientCapabilities ?? {} };
  return createHash("sha256")
    .update(JSON.stringify(sortKeys(identity)))
    .digest("hex");
}

/** The same value with the keys of every object in code unit order; `undefined` fields count as absent. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isRecord(value)) return value;
  // A list of pairs rather than an object: objects move integer-like keys to the front and special-case `__proto__`.
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  return { object: keys.toSorted().map((key) => [key, sortKeys(value[key])]) };
}
