import { messageOf, ToolgateError } from "@toolgate/contracts";
import {
  complete,
  getPrompt,
  listPrompts,
  listResources,
  listResourceTemplates,
  readResource,
} from "@toolgate/mcp-client";
import type {
  Completion,
  MCPServerConnection,
  Prompt,
  PromptResult,
  RequestOptions,
  Resource,
  ResourceContents,
  ResourceTemplate,
} from "@toolgate/mcp-client";

import { byCodeUnits } from "./by-code-units.ts";
import type { ServerResourceReference } from "./resource-address.ts";
import { formatResourceAddress, parseResourceAddress } from "./resource-address.ts";

/** What may be said about a request to servers. */
export interface ContentOptions {
  /** Asks this server alone, and waits for it when it is on its way. @default all connected servers */
  server?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Whatever servers list, merged. */
export interface ServerItems<T> {
  /** Sorted by server in code unit order; within a server as it listed them. */
  items: T[];
  /** Why a server could not be asked, by its name; the items of the others are there all the same. */
  errors: Map<string, ToolgateError>;
}

/** A resource with its server; {@link MCPManager.readResource} takes its address. */
export type ServerResource = Resource & { server: string; address: string };
/** A resource template with its server; {@link MCPManager.completeResourceTemplate} takes its address. */
export type ServerResourceTemplate = ResourceTemplate & { server: string; address: string };
/** A prompt with its server. */
export type ServerPrompt = Prompt & { server: string };

/** A resource or a template: `server:uri`, or its parts. */
export type ResourceReference = string | ServerResourceReference;

/** What a resource holds, and which server said so. */
export interface ServerResourceContents {
  server: string;
  contents: ResourceContents[];
}

/** A prompt of a server, with the values of its arguments. */
export interface PromptRequest {
  server: string;
  name: string;
  arguments?: Record<string, string>;
}

/** What is completed: the beginning of one argument's value. */
export interface ArgumentCompletion {
  argument: string;
  /** What is typed so far. @default "" */
  value?: string;
  /** Arguments that are known already; proposals may depend on them. */
  arguments?: Record<string, string>;
}

/** How content comes to its servers. */
export interface ContentContext {
  /** Names of all servers, in any state. */
  names(): string[];
  openConnection(name: string): MCPServerConnection | undefined;
  /** Waits for a server; rejects with its own reason. */
  waitForConnection(name: string, options: { signal?: AbortSignal }): Promise<MCPServerConnection>;
}

/** What servers offer beside tools, per server and merged. A server without a capability is not asked. */
export class ServerContent {
  readonly #context: ContentContext;

  constructor(context: ContentContext) {
    this.#context = context;
  }

  listResources(options: ContentOptions = {}): Promise<ServerItems<ServerResource>> {
    return this.#list(options, async (connection, request) =>
      (await listResources(connection, request)).map((resource) => ({
        ...resource,
        server: connection.name,
        address: formatResourceAddress({ server: connection.name, uri: resource.uri }),
      })),
    );
  }

  listResourceTemplates(options: ContentOptions = {}): Promise<ServerItems<ServerResourceTemplate>> {
    return this.#list(options, async (connection, request) =>
      (await listResourceTemplates(connection, request)).map((template) => ({
        ...template,
        server: connection.name,
        address: formatResourceAddress({ server: connection.name, uri: template.uriTemplate }),
      })),
    );
  }

  listPrompts(options: ContentOptions = {}): Promise<ServerItems<ServerPrompt>> {
    return this.#list(options, async (connection, request) =>
      (await listPrompts(connection, request)).map((prompt) => ({ ...prompt, server: connection.name })),
    );
  }

  /** Reads from the server of the address; a plain URI from the first server, by name, that can read it. */
  async readResource(reference: ResourceReference, options: RequestOptions = {}): Promise<ServerResourceContents> {
    const parsed = this.#parse(reference);
    if (typeof parsed === "string") return this.#readAnywhere(parsed, options);
    const connection = await this.#open(parsed.server, options);
    return { server: parsed.server, ...(await readResource(connection, parsed.uri, options)) };
  }

  async getPrompt(prompt: PromptRequest, options: RequestOptions = {}): Promise<PromptResult> {
    return getPrompt(await this.#open(prompt.server, options), prompt.name, prompt.arguments ?? {}, options);
  }

  async completeResourceTemplate(
    template: ResourceReference,
    wanted: ArgumentCompletion,
    options: RequestOptions = {},
  ): Promise<Completion> {
    const { connection, uri } = await this.openResource(template, options);
    return complete(connection, { ref: { type: "ref/resource", uri }, ...toRequest(wanted) }, options);
  }

  async completePromptArgument(
    prompt: Pick<PromptRequest, "server" | "name">,
    wanted: ArgumentCompletion,
    options: RequestOptions = {},
  ): Promise<Completion> {
    const connection = await this.#open(prompt.server, options);
    return complete(connection, { ref: { type: "ref/prompt", name: prompt.name }, ...toRequest(wanted) }, options);
  }

  /**
   * The server and URI of an address, with the connection.
   *
   * @throws ToolgateError `NOT_CONNECTED` when the address names no server, or the server's own reason
   */
  async openResource(
    reference: ResourceReference,
    options: RequestOptions,
  ): Promise<{ connection: MCPServerConnection; uri: string }> {
    const parsed = this.#parse(reference);
    if (typeof parsed === "string") throw this.#noServer(parsed);
    return { connection: await this.#open(parsed.server, options), uri: parsed.uri };
  }

  /** The parts of an address; a text that names no server stays one. */
  #parse(reference: ResourceReference): ServerResourceReference | string {
    if (typeof reference !== "string") return reference;
    return parseResourceAddress(reference, this.#context.names()) ?? reference;
  }

  #noServer(address: string): ToolgateError {
    const names = this.#context.names().toSorted(byCodeUnits).join(", ") || "none";
    const message = `${address} names no server. An address is "server:uri", and there are: ${names}.`;
    return new ToolgateError("NOT_CONNECTED", message);
  }

  #open(name: string, { signal }: RequestOptions): Promise<MCPServerConnection> {
    return this.#context.waitForConnection(name, signal === undefined ? {} : { signal });
  }

  async #list<T>(
    { server, signal }: ContentOptions,
    ask: (connection: MCPServerConnection, options: RequestOptions) => Promise<T[]>,
  ): Promise<ServerItems<T>> {
    const request: RequestOptions = signal === undefined ? {} : { signal };
    const names = server === undefined ? this.#context.names().toSorted(byCodeUnits) : [server];
    const errors = new Map<string, ToolgateError>();
    const lists = await Promise.all(
      names.map(async (name) => {
        try {
          const connection =
            server === undefined ? this.#context.openConnection(name) : await this.#open(name, request);
          return connection === undefined ? [] : await ask(connection, request);
        } catch (error) {
          if (!ToolgateError.isInstance(error)) throw error;
          errors.set(name, error);
          return [];
        }
      }),
    );
    return { items: lists.flat(), errors };
  }

  async #readAnywhere(uri: string, options: RequestOptions): Promise<ServerResourceContents> {
    const problems: string[] = [];
    for (const name of this.#context.names().toSorted(byCodeUnits)) {
      const connection = this.#context.openConnection(name);
      if (connection?.capabilities.resources === undefined) continue;
      try {
        return { server: name, ...(await readResource(connection, uri, options)) };
      } catch (error) {
        if (!ToolgateError.isInstance(error)) throw error;
        problems.push(`${name}: ${messageOf(error)}`);
      }
    }
    const why = problems.length === 0 ? "No connected server offers resources." : problems.join("\n");
    throw new ToolgateError("SERVER_ERROR", `${uri} cannot be read. ${why}`);
  }
}

function toRequest({ argument, value = "", arguments: known }: ArgumentCompletion): {
  argument: { name: string; value: string };
  context?: { arguments: Record<string, string> };
} {
  return { argument: { name: argument, value }, ...(known === undefined ? {} : { context: { arguments: known } }) };
}
