import type { Client, McpSubscription, SubscriptionFilter } from "@modelcontextprotocol/client";

import type { Clock } from "../connection/clock.ts";
import type { ServerCapabilities } from "../connection/connection.ts";
import type { ExchangeOptions } from "../connection/protocol-session.ts";
import { isJsonRpcError } from "../connection/request-errors.ts";
import type { ServerLink } from "../connection/server-link.ts";

/** Milliseconds before a subscription that ended by itself is opened again; doubled each time, up to the longest. */
const FIRST_DELAY = 1000;
const LONGEST_DELAY = 60_000;
/** Attempts in a row that get no subscription, before it is given up until somebody listens anew. */
const ATTEMPT_LIMIT = 6;
const METHOD_NOT_FOUND = -32_601;

type ListFlag = "toolsListChanged" | "promptsListChanged" | "resourcesListChanged";

/** Which part of a subscription brings which notification, and the capability that offers it. */
const LISTS: Readonly<Record<string, { flag: ListFlag; capability: "tools" | "prompts" | "resources" }>> = {
  "notifications/tools/list_changed": { flag: "toolsListChanged", capability: "tools" },
  "notifications/prompts/list_changed": { flag: "promptsListChanged", capability: "prompts" },
  "notifications/resources/list_changed": { flag: "resourcesListChanged", capability: "resources" },
};

/** What subscriptions are made over. */
export interface SubscriptionsInput {
  client: Client;
  link: ServerLink;
  clock: Clock;
  /** Told why there is no subscription for the moment. */
  onFailure(error: unknown): void;
  /** Told which lists may have changed unnoticed while there was none. */
  onResume(method: string): void;
}

/**
 * Keeps one `subscriptions/listen` open for all that is listened to; servers of the modern era send nothing unasked.
 *
 * It is opened when the first listener comes, and again when a server or a proxy in between ends it.
 */
export class Subscriptions {
  readonly #input: SubscriptionsInput;
  readonly #lists = new Set<ListFlag>();
  readonly #resources = new Set<string>();
  #open: McpSubscription | undefined;
  #opening: Promise<void> | undefined;
  #timer: unknown;
  #failures = 0;
  /** Whether a list was asked for in this turn. */
  #isAsked = false;

  constructor(input: SubscriptionsInput) {
    this.#input = input;
    void input.link.closed.then(() => input.clock.clearTimeout(this.#timer));
  }

  /** Makes sure that a method's notifications come, where the server offers them. */
  listen(method: string): void {
    const list = LISTS[method];
    const capabilities = (this.#input.client.getServerCapabilities() ?? {}) as ServerCapabilities;
    if (list === undefined || capabilities[list.capability]?.listChanged !== true) return;
    if (this.#lists.has(list.flag)) return;
    this.#lists.add(list.flag);
    this.#failures = 0;
    if (this.#isAsked) return;
    this.#isAsked = true;
    // Whoever listens to one list mostly listens to more: one subscription for all that come in the same turn.
    queueMicrotask(() => {
      this.#isAsked = false;
      this.#reopen().catch((error: unknown) => this.#retry(error));
    });
  }

  /** Starts or stops to be told of changes of one resource; resolves when the server has agreed. */
  async watchResource(uri: string, watch: boolean, options: ExchangeOptions): Promise<void> {
    if (watch === this.#resources.has(uri)) return;
    if (watch) this.#resources.add(uri);
    else this.#resources.delete(uri);
    try {
      await this.#reopen(options);
    } catch (error) {
      if (watch) this.#resources.delete(uri);
      throw error;
    }
  }

  /** Opens a subscription for all that is wanted by now, one at a time, and then ends the one before. */
  async #reopen(options?: ExchangeOptions): Promise<void> {
    while (this.#opening !== undefined) await this.#opening.catch(() => {});
    this.#opening = this.#replace(options);
    try {
      await this.#opening;
    } finally {
      this.#opening = undefined;
    }
  }

  async #replace(options: ExchangeOptions | undefined): Promise<void> {
    const { client, clock, link } = this.#input;
    if (link.closeReason !== undefined) return;
    const previous = this.#open;
    const filter: SubscriptionFilter = {};
    for (const flag of this.#lists) filter[flag] = true;
    if (this.#resources.size > 0) filter.resourceSubscriptions = [...this.#resources];
    if (Object.keys(filter).length === 0) {
      this.#open = undefined;
    } else {
      const subscription = await client.listen(filter, {
        ...(options === undefined ? {} : { timeout: options.idle }),
        ...(options?.signal === undefined ? {} : { signal: options.signal }),
      });
      this.#open = subscription;
      const opened = clock.now();
      void subscription.closed.then(() => this.#ended(subscription, opened));
    }
    await previous?.close();
  }

  #ended(subscription: McpSubscription, opened: number): void {
    if (this.#open !== subscription) return;
    this.#open = undefined;
    // One that always ends at once is no reason to ask for ever.
    if (this.#input.clock.now() - opened > LONGEST_DELAY) this.#failures = 0;
    this.#retry(new Error("the server ended the subscription"));
  }

  #retry(error: unknown): void {
    const { clock, link } = this.#input;
    if (link.closeReason !== undefined) return;
    this.#input.onFailure(error);
    this.#failures += 1;
    if (this.#failures > ATTEMPT_LIMIT || (isJsonRpcError(error) && error.code === METHOD_NOT_FOUND)) return;
    const delay = Math.min(FIRST_DELAY * 2 ** (this.#failures - 1), LONGEST_DELAY);
    clock.clearTimeout(this.#timer);
    this.#timer = clock.setTimeout(() => void this.#resume(), delay);
  }

  async #resume(): Promise<void> {
    try {
      await this.#reopen();
    } catch (error) {
      this.#retry(error);
      return;
    }
    for (const [method, { flag }] of Object.entries(LISTS)) if (this.#lists.has(flag)) this.#input.onResume(method);
  }
}
