import { isRecord } from "@toolgate/contracts";

import type { MCPServerConnection, RequestOptions } from "../connection/connection.ts";
import { type Listing, listPages } from "./list-pages.ts";
import { exceedsLimits } from "./value-limits.ts";

/** What a caller may say about a list of resources, templates or prompts. */
export interface ListOptions extends RequestOptions {
  /** Told in one sentence each time what of the list is left out and why; the rest of it is fine. Must not throw. */
  onProblem?: (problem: string) => void;
}

const TEXT_FIELDS = ["title", "description", "mimeType"] as const;

/** What is listed, and how people call one entry. */
export interface EntryListing extends Listing {
  kind: string;
}

/**
 * Lists all entries that have what they are called by. Where a server gave no name, that stands for it; texts that are none
 * are left out.
 */
export async function listEntries(
  connection: MCPServerConnection,
  listing: EntryListing,
  { onProblem = ignore, ...options }: ListOptions,
): Promise<Record<string, unknown>[]> {
  const { key, kind } = listing;
  const { items, duplicates, incomplete } = await listPages(connection, listing, options);
  const entries: Record<string, unknown>[] = [];
  for (const item of items) {
    const id = isRecord(item) ? item[key] : undefined;
    const excess = exceedsLimits(item);
    if (!isRecord(item) || typeof id !== "string") onProblem(`A ${kind} without a ${key} is left out.`);
    else if (excess !== undefined) onProblem(`The ${kind} ${id} is left out: it ${excess}.`);
    else entries.push(readEntry(item, id));
  }
  for (const id of duplicates) onProblem(`The ${kind} ${id} is listed again; the first one counts.`);
  if (incomplete !== undefined) onProblem(incomplete.message);
  return entries;
}

function readEntry(item: Record<string, unknown>, id: string): Record<string, unknown> {
  const entry = { ...item, name: typeof item["name"] === "string" ? item["name"] : id } as Record<string, unknown>;
  for (const field of TEXT_FIELDS) if (typeof entry[field] !== "string") delete entry[field];
  return entry;
}

function ignore(): void {}
