import type {
  ArgumentCompletion,
  ContentOptions,
  MCPManager,
  MCPManagerEvent,
  PromptRequest,
  ServerItems,
  ServerPrompt,
  ServerResource,
  ServerResourceReference,
  ServerResourceTemplate,
} from "@toolgate/mcp-manager";

import { abortable } from "../../cancellation/abortable.ts";
import { timeLimit } from "../../cancellation/time-limit.ts";

/** How long a Tab waits for a server, in milliseconds. */
const COMPLETION_TIMEOUT_MS = 1000;

/** What servers offer beside tools, for completion: what cannot be had soon is not there, and nothing rejects. */
export interface Offers {
  /** Whether a server offers something; one that still starts may. */
  has(server: string, capability: "resources" | "prompts"): Promise<boolean>;
  resources(server: string): Promise<readonly ServerResource[]>;
  templates(server: string): Promise<readonly ServerResourceTemplate[]>;
  prompts(server: string): Promise<readonly ServerPrompt[]>;
  /** Values of a template's variable. */
  completeTemplate(template: ServerResourceReference, wanted: ArgumentCompletion): Promise<readonly string[]>;
  /** Values of a prompt's argument. */
  completePrompt(
    prompt: Pick<PromptRequest, "server" | "name">,
    wanted: ArgumentCompletion,
  ): Promise<readonly string[]>;
}

/** Of some servers, those that offer something. */
export async function findOffering(
  servers: readonly string[],
  capability: "resources" | "prompts",
  offers: Offers | undefined,
): Promise<string[]> {
  if (offers === undefined) return [];
  const offering = await Promise.all(servers.map((name) => offers.has(name, capability)));
  return servers.filter((_, index) => offering[index]);
}

/** Lists of one kind, by server. */
class RememberedLists<T> {
  readonly #load: (options: ContentOptions) => Promise<ServerItems<T>>;
  readonly #lists = new Map<string, Promise<T[]>>();

  constructor(load: (options: ContentOptions) => Promise<ServerItems<T>>) {
    this.#load = load;
  }

  get(server: string): Promise<T[]> {
    const known = this.#lists.get(server);
    if (known !== undefined) return known;
    const listing = this.#fetch(server);
    this.#lists.set(server, listing);
    listing.catch(() => {
      if (this.#lists.get(server) === listing) this.#lists.delete(server);
    });
    return listing;
  }

  drop(server: string): void {
    this.#lists.delete(server);
  }

  async #fetch(server: string): Promise<T[]> {
    const { items, errors } = await this.#load({ server });
    const error = errors.get(server);
    if (error !== undefined) throw error;
    return items;
  }
}

/**
 * Asks servers for what they offer, once each: a list is kept until its server says that it has changed, or goes or
 * starts anew. A list that takes longer than a Tab waits goes on arriving, and is there for the next one.
 */
export class ServerOffers implements Offers {
  readonly #manager: MCPManager;
  readonly #timeoutMs: number;
  readonly #resources: RememberedLists<ServerResource>;
  readonly #templates: RememberedLists<ServerResourceTemplate>;
  readonly #prompts: RememberedLists<ServerPrompt>;

  /**
   * Follows the manager as long as that lives.
   *
   * @param timeoutMs - How long an answer is waited for, in milliseconds.
   */
  constructor(manager: MCPManager, timeoutMs: number = COMPLETION_TIMEOUT_MS) {
    this.#manager = manager;
    this.#timeoutMs = timeoutMs;
    this.#resources = new RememberedLists((options) => manager.listResources(options));
    this.#templates = new RememberedLists((options) => manager.listResourceTemplates(options));
    this.#prompts = new RememberedLists((options) => manager.listPrompts(options));
    manager.subscribe((event) => this.#follow(event));
  }

  async has(server: string, capability: "resources" | "prompts"): Promise<boolean> {
    const status = this.#manager.getConnectionStatus(server);
    if (status !== "connected") return status === "connecting";
    const found = await this.#soon(async () => [await this.#manager.waitForConnection(server)]);
    return found[0]?.capabilities[capability] !== undefined;
  }

  resources(server: string): Promise<readonly ServerResource[]> {
    return this.#soon(() => this.#resources.get(server));
  }

  templates(server: string): Promise<readonly ServerResourceTemplate[]> {
    return this.#soon(() => this.#templates.get(server));
  }

  prompts(server: string): Promise<readonly ServerPrompt[]> {
    return this.#soon(() => this.#prompts.get(server));
  }

  completeTemplate(template: ServerResourceReference, wanted: ArgumentCompletion): Promise<readonly string[]> {
    return this.#soon(
      async (signal) => (await this.#manager.completeResourceTemplate(template, wanted, { signal })).values,
    );
  }

  completePrompt(
    prompt: Pick<PromptRequest, "server" | "name">,
    wanted: ArgumentCompletion,
  ): Promise<readonly string[]> {
    return this.#soon(
      async (signal) => (await this.#manager.completePromptArgument(prompt, wanted, { signal })).values,
    );
  }

  #follow(event: MCPManagerEvent): void {
    if (event.type === "resources-changed" || event.type === "server-step") {
      this.#resources.drop(event.server);
      this.#templates.drop(event.server);
    }
    if (event.type === "prompts-changed" || event.type === "server-step") this.#prompts.drop(event.server);
  }

  async #soon<T>(work: (signal: AbortSignal) => Promise<readonly T[]>): Promise<readonly T[]> {
    const limit = timeLimit(this.#timeoutMs);
    try {
      return await abortable(work(limit), limit);
    } catch {
      return [];
    }
  }
}
