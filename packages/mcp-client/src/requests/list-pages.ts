import { isRecord, ToolgateError } from "@toolgate/contracts";

import type { MCPServerConnection, RequestOptions } from "../connection/connection.ts";

/** More pages than any real server has. */
const PAGE_LIMIT = 1000;
const METHOD_NOT_FOUND = -32_601;

/** What is listed and how its items are told apart. */
export interface Listing {
  method: string;
  /** Field of the result that holds the items. */
  field: string;
  /** Field of an item that names it. */
  key: string;
  /** Whether an answer of "method not found" means that there are none. */
  optional: boolean;
}

/**
 * Fetches all pages of a list, however the server uses its cursors.
 *
 * A cursor that was there before ends the list, and so does the page limit. An empty cursor is a cursor, but a server may
 * mean the end by it and start again: items that an earlier page had are left out.
 */
export async function listPages(
  connection: MCPServerConnection,
  listing: Listing,
  options: RequestOptions,
): Promise<unknown[]> {
  const items: unknown[] = [];
  const keys = new Set<unknown>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < PAGE_LIMIT; page += 1) {
    const result = await requestPage(connection, listing, { cursor, options });
    if (result === undefined) return items;
    const listed = result[listing.field];
    if (!Array.isArray(listed)) {
      if (cursor === "") return items;
      throw listFailed(connection, listing, `"${listing.field}" of its answer is not an array`);
    }
    const fresh = listed.filter((item) => !keys.has(keyOf(item, listing)));
    for (const item of fresh) keys.add(keyOf(item, listing) ?? item);
    items.push(...(fresh as unknown[]));
    const next = result["nextCursor"];
    if (typeof next !== "string" || cursors.has(next)) return items;
    cursors.add(next);
    cursor = next;
  }
  return items;
}

async function requestPage(
  connection: MCPServerConnection,
  listing: Listing,
  page: { cursor: string | undefined; options: RequestOptions },
): Promise<Record<string, unknown> | undefined> {
  const { cursor, options } = page;
  try {
    return await connection.request(listing.method, cursor === undefined ? undefined : { cursor }, options);
  } catch (error) {
    if (!ToolgateError.isInstance(error) || error.code !== "SERVER_ERROR") throw error;
    // The server took its own empty cursor for a wrong one: it had meant the end.
    if (cursor === "") return undefined;
    if (listing.optional && isRecord(error.data) && error.data["code"] === METHOD_NOT_FOUND) return undefined;
    throw new ToolgateError("LIST_FAILED", error.message, { server: connection.name, data: error.data, cause: error });
  }
}

function listFailed(connection: MCPServerConnection, listing: Listing, why: string): ToolgateError {
  return new ToolgateError(
    "LIST_FAILED",
    `The server "${connection.name}" failed to answer ${listing.method}: ${why}.`,
    {
      server: connection.name,
    },
  );
}

function keyOf(item: unknown, listing: Listing): unknown {
  return isRecord(item) ? item[listing.key] : undefined;
}
