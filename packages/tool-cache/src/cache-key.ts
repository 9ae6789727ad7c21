import { createHash } from "node:crypto";

import type { CacheContext, MCPServerConfig } from "@toolgate/contracts";
import { isRecord } from "@toolgate/contracts";

/** Version of the entries' layout; another one is a miss. */
export const FORMAT_VERSION = 1;

/**
 * The key of a server's tools: a digest of everything that its list may depend on, which is its name, the whole
 * unresolved config and the capabilities that the host declares. The config may hold secrets, so nothing of it stands in
 * the key in clear; the order of its fields does not matter.
 */
export function createCacheKey(server: string, config: MCPServerConfig, context: CacheContext = {}): string {
  const subject = canonicalJson([FORMAT_VERSION, server, config, context.clientCapabilities ?? {}]);
  return createHash("sha256").update(subject).digest("hex");
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}
