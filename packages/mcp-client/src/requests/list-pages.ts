import { collectSecrets, createRedactor, isRecord, ToolgateError } from "@toolgate/contracts";

import type { MCPServerConnection, RequestOptions } from "../connection/connection.ts";
import { requestLimits } from "../connection/request-limits.ts";

/** More pages than any real server has. */
const PAGE_LIMIT = 1000;
/** More items than any real server has. */
const ITEM_LIMIT = 10_000;
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

/** What all pages of a list hold together. */
export interface ListedItems {
  /** As sent, in the order of the pages; the first of a name. */
  items: unknown[];
  /** Names that came again, once for each time. */
  duplicates: string[];
  /** Why the list was cut off; absent when it came to its end. */
  incomplete?: ToolgateError;
}

/** What a page may name as the next one: a string, and from sloppy servers a number. */
type Cursor = string | number;

/**
 * Fetches all pages of a list, however the server uses its cursors. A list without an end is cut off: what it held so far is
 * kept, together with an error that says so.
 *
 * An empty cursor is a cursor, but a server may mean the end by it and start again: a page that repeats earlier ones is left
 * out.
 *
 * @throws ToolgateError `LIST_FAILED` when the server refuses or answers with something that is no list
 */
export async function listPages(
  connection: MCPServerConnection,
  listing: Listing,
  options: RequestOptions,
): Promise<ListedItems> {
  const collected = new CollectedItems(listing);
  const cursors = new Set<Cursor>();
  // The limit in all of a request counts for all pages together: pages may be slow, and their number is the server's.
  const { total } = requestLimits(connection.config.timeout, options);
  const started = performance.now();
  let cursor: Cursor | undefined;
  for (let page = 0; page < PAGE_LIMIT; page += 1) {
    const result = await requestPage(connection, listing, { cursor, options });
    if (result === undefined) return collected.listed;
    const items = result[listing.field];
    if (!Array.isArray(items)) {
      if (cursor === "") return collected.listed;
      throw listFailed(connection, `failed to answer ${listing.method}: "${listing.field}" is not an array.`);
    }
    collected.add(items, page);
    if (collected.isFull) return cutOff(connection, listing, collected, `has more than ${ITEM_LIMIT} entries`);
    const next = result["nextCursor"];
    if (typeof next !== "string" && typeof next !== "number") return collected.listed;
    if (cursors.has(next)) {
      if (next === "") return collected.listed;
      const shown = JSON.stringify(next).slice(0, 100);
      return cutOff(connection, listing, collected, `has no end: its cursor ${shown} comes again`);
    }
    if (performance.now() - started > total)
      return cutOff(connection, listing, collected, `takes longer than ${total} ms`);
    cursors.add(next);
    cursor = next;
  }
  return cutOff(connection, listing, collected, `has more than ${PAGE_LIMIT} pages`);
}

/** The items of the pages so far. */
class CollectedItems {
  readonly listed: ListedItems = { items: [], duplicates: [] };
  readonly #names = new Set<unknown>();
  readonly #key: string;

  constructor(listing: Listing) {
    this.#key = listing.key;
  }

  get isFull(): boolean {
    return this.listed.items.length >= ITEM_LIMIT;
  }

  add(items: unknown[], page: number): void {
    const { items: all, duplicates } = this.listed;
    const isRepetition = page > 0 && items.every((item) => this.#names.has(this.#nameOf(item)));
    for (const item of items) {
      const name = this.#nameOf(item);
      if (name === undefined || !this.#names.has(name)) {
        if (this.isFull) return;
        all.push(item);
        if (name !== undefined) this.#names.add(name);
      } else if (!isRepetition) {
        duplicates.push(name);
      }
    }
  }

  #nameOf(item: unknown): string | undefined {
    const name = isRecord(item) ? item[this.#key] : undefined;
    return typeof name === "string" ? name : undefined;
  }
}

async function requestPage(
  connection: MCPServerConnection,
  listing: Listing,
  page: { cursor: Cursor | undefined; options: RequestOptions },
): Promise<Record<string, unknown> | undefined> {
  const { cursor, options } = page;
  try {
    return await connection.request(listing.method, cursor === undefined ? undefined : { cursor }, options);
  } catch (error) {
    if (!ToolgateError.isInstance(error) || error.code !== "SERVER_ERROR") throw error;
    // The server took its own empty cursor for a wrong one: it had meant the end.
    if (cursor === "") return undefined;
    if (listing.optional && isRecord(error.data) && error.data["code"] === METHOD_NOT_FOUND) return undefined;
    const { server = connection.name, stage = "list", transport = connection.transport, data } = error;
    throw new ToolgateError("LIST_FAILED", error.message, { server, stage, transport, data, cause: error });
  }
}

// oxlint-disable-next-line max-params -- whose list, which, what of it is kept, and why it ends here
function cutOff(
  connection: MCPServerConnection,
  listing: Listing,
  { listed }: CollectedItems,
  why: string,
): ListedItems {
  const problem =
    `answers ${listing.method} with a list that ${why}. ` +
    `The ${listed.items.length} entries up to there are used; ask its maintainer for the rest.`;
  return { ...listed, incomplete: listFailed(connection, problem) };
}

function listFailed(connection: MCPServerConnection, problem: string): ToolgateError {
  const { config, name: server, transport } = connection;
  const message = createRedactor(collectSecrets(config))(`The server "${server}" ${problem}`);
  return new ToolgateError("LIST_FAILED", message, { server, transport, stage: "list" });
}
