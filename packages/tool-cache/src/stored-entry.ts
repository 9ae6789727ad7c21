import type { CacheEntry, MCPToolDefinition, StartDurations } from "@toolgate/contracts";
import { isRecord } from "@toolgate/contracts";

import { FORMAT_VERSION } from "./cache-key.ts";

/** What stands in the store. Its age is part of it, since Keyv's own expiry deletes on read. */
export interface StoredEntry extends CacheEntry {
  version: typeof FORMAT_VERSION;
}

/** Puts an entry into the form that is stored: its known fields and nothing that a caller added. */
export function toStoredEntry({ tools, fetchedAt, era, durations }: CacheEntry): StoredEntry {
  return {
    version: FORMAT_VERSION,
    tools,
    fetchedAt,
    ...(era === undefined ? {} : { era }),
    ...(durations === undefined ? {} : { durations }),
  };
}

/** Reads what came out of a store; null when it is not an entry of this version, whatever else it may be. */
export function fromStoredEntry(value: unknown): CacheEntry | null {
  if (!isRecord(value) || value["version"] !== FORMAT_VERSION) return null;
  const { tools, fetchedAt, era, durations } = value;
  if (!Array.isArray(tools) || !tools.every(isToolDefinition)) return null;
  if (typeof fetchedAt !== "number" || !Number.isFinite(fetchedAt)) return null;
  return {
    tools,
    fetchedAt,
    ...(era === "legacy" || era === "modern" ? { era } : {}),
    ...(isDurations(durations) ? { durations } : {}),
  };
}

function isToolDefinition(value: unknown): value is MCPToolDefinition {
  if (!isRecord(value) || typeof value["name"] !== "string" || !isRecord(value["inputSchema"])) return false;
  const { description } = value;
  return value["inputSchema"]["type"] === "object" && (description === undefined || typeof description === "string");
}

function isDurations(value: unknown): value is StartDurations {
  return isRecord(value) && ["spawn", "initialize", "list"].every((step) => typeof value[step] === "number");
}
