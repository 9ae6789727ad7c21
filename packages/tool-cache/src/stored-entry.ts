import { isRecord } from "@toolgate/contracts";
import type { CacheEntry, MCPToolDefinition, StartDurations } from "@toolgate/contracts";

import { CACHE_FORMAT } from "./cache-key.ts";

/** A cache entry as it lies in the store. */
export interface StoredEntry extends CacheEntry {
  format: typeof CACHE_FORMAT;
}

/** Prepares an entry for the store; fields that the port does not know are left out. */
export function toStored(entry: CacheEntry): StoredEntry {
  return {
    format: CACHE_FORMAT,
    fetchedAt: entry.fetchedAt,
    ...(entry.era === undefined ? {} : { era: entry.era }),
    ...(entry.durations === undefined ? {} : { durations: entry.durations }),
    ...(entry.instructions === undefined ? {} : { instructions: entry.instructions }),
    tools: entry.tools,
  };
}

/**
 * Reads what a store gave back. Checked by hand, since it runs on the way of every warm start.
 *
 * @returns The entry, or `null` for anything that is not a whole entry of this format.
 */
export function fromStored(value: unknown): CacheEntry | null {
  if (!isRecord(value) || value["format"] !== CACHE_FORMAT) return null;
  const { fetchedAt, tools, era, durations, instructions } = value;
  if (typeof fetchedAt !== "number" || !Number.isFinite(fetchedAt)) return null;
  if (!Array.isArray(tools) || !tools.every(isToolDefinition)) return null;
  if (era !== undefined && era !== "legacy" && era !== "modern") return null;
  if (durations !== undefined && !isDurations(durations)) return null;
  if (instructions !== undefined && typeof instructions !== "string") return null;
  return {
    tools,
    fetchedAt,
    ...(era === undefined ? {} : { era }),
    ...(durations === undefined ? {} : { durations }),
    ...(instructions === undefined ? {} : { instructions }),
  };
}

function isToolDefinition(value: unknown): value is MCPToolDefinition {
  if (!isRecord(value) || typeof value["name"] !== "string" || value["name"] === "") return false;
  const { inputSchema, outputSchema, annotations, description, title } = value;
  if (!isRecord(inputSchema) || inputSchema["type"] !== "object") return false;
  if (outputSchema !== undefined && !isRecord(outputSchema)) return false;
  if (annotations !== undefined && !isRecord(annotations)) return false;
  return isOptionalString(description) && isOptionalString(title);
}

function isDurations(value: unknown): value is StartDurations {
  return isRecord(value) && ["spawn", "initialize", "list"].every((step) => typeof value[step] === "number");
}

function isOptionalString(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}
