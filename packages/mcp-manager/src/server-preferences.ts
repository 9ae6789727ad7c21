import type { Logger } from "@toolgate/contracts";
import { messageOf, ToolgateError } from "@toolgate/contracts";
import { setLoggingLevel } from "@toolgate/mcp-client";
import type { LoggingLevel, MCPServerConnection, RequestOptions } from "@toolgate/mcp-client";

import type { ContentOptions } from "./server-content.ts";

/** What preferences work with. */
export interface PreferencesContext {
  logger: Logger;
  openConnection(name: string): MCPServerConnection | undefined;
}

/**
 * What a host has told servers to report: log levels and resource subscriptions. A server that connects again, or for
 * the first time, is told anew.
 */
export class ServerPreferences {
  readonly #context: PreferencesContext;
  readonly #levels = new Map<string, LoggingLevel>();
  #commonLevel: LoggingLevel | undefined;
  /** How many subscriptions of this host there are, by server and URI. */
  readonly #subscriptions = new Map<string, Map<string, number>>();

  constructor(context: PreferencesContext) {
    this.#context = context;
  }

  /** Sets the level of one server, or of all that have none of their own, and tells those that are connected. */
  async setLevel(
    level: LoggingLevel,
    { server, signal, names }: ContentOptions & { names: readonly string[] },
  ): Promise<Map<string, ToolgateError>> {
    if (server === undefined) this.#commonLevel = level;
    else this.#levels.set(server, level);
    const errors = new Map<string, ToolgateError>();
    const told = (server === undefined ? names : [server]).map(async (name) => {
      const connection = this.#context.openConnection(name);
      if (connection === undefined) return;
      try {
        await this.#sendLevel(connection, signal === undefined ? {} : { signal });
      } catch (error) {
        if (!ToolgateError.isInstance(error)) throw error;
        errors.set(name, error);
      }
    });
    await Promise.all(told);
    return errors;
  }

  /**
   * Subscribes to a resource.
   *
   * @returns what ends this subscription; the server is told when it was the last one of its URI
   * @throws ToolgateError `NOT_OFFERED` when the server has no subscriptions, or what it answered
   */
  async subscribe(connection: MCPServerConnection, uri: string, options: RequestOptions): Promise<() => Promise<void>> {
    const { name } = connection;
    if (connection.capabilities.resources?.subscribe !== true) {
      throw new ToolgateError("NOT_OFFERED", `${name} offers no subscriptions to resources.`, { server: name });
    }
    this.#count(name, uri, 1);
    try {
      await connection.request("resources/subscribe", { uri }, options);
    } catch (error) {
      this.#count(name, uri, -1);
      throw error;
    }
    let isOver = false;
    return async () => {
      if (isOver) return;
      isOver = true;
      if (this.#count(name, uri, -1) > 0) return;
      // Perhaps another connection than the one that was subscribed with.
      await this.#context.openConnection(name)?.request("resources/unsubscribe", { uri });
    };
  }

  /** Tells a server that has just connected everything that was noted for it. A refusal is logged. */
  restore(connection: MCPServerConnection): void {
    const uris = [...(this.#subscriptions.get(connection.name)?.keys() ?? [])];
    const requests = [
      this.#sendLevel(connection),
      ...uris.map((uri) => connection.request("resources/subscribe", { uri })),
    ];
    for (const request of requests) {
      request.catch((error: unknown) => {
        this.#context.logger.warn(`${connection.name} could not be told again what to report: ${messageOf(error)}`);
      });
    }
  }

  /** A server without the `logging` capability is not told. */
  async #sendLevel(connection: MCPServerConnection, options: RequestOptions = {}): Promise<void> {
    const level = this.#levels.get(connection.name) ?? this.#commonLevel;
    if (level !== undefined) await setLoggingLevel(connection, level, options);
  }

  #count(server: string, uri: string, change: 1 | -1): number {
    const byUri = this.#subscriptions.get(server) ?? new Map<string, number>();
    const count = Math.max(0, (byUri.get(uri) ?? 0) + change);
    if (count === 0) byUri.delete(uri);
    else byUri.set(uri, count);
    this.#subscriptions.set(server, byUri);
    return count;
  }
}
