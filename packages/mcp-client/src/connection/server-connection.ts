import {
  type ErrorStage,
  type MCPServerConfig,
  type ProtocolEra,
  type StartDurations,
  type ToolgateError,
  type TransportType,
  transportOf,
} from "@toolgate/contracts";

import { AbortError, isAborted } from "./abort-error.ts";
import type {
  CloseReason,
  MCPServerConnection,
  NotificationListener,
  RequestOptions,
  ServerCapabilities,
  ServerInfo,
} from "./connection.ts";
import type { NotificationListeners } from "./notification-listeners.ts";
import { CANCEL_REASON, type ExchangeOptions, type ProtocolSession } from "./protocol-session.ts";
import { toRequestError } from "./request-errors.ts";
import { requestLimits } from "./request-limits.ts";
import type { ServerErrors } from "./server-errors.ts";
import { InputClosedError, type ServerLink } from "./server-link.ts";

/** What a connection is made from, once the handshake is done. */
export interface ServerConnectionInput {
  name: string;
  config: MCPServerConfig;
  session: ProtocolSession;
  link: ServerLink;
  errors: ServerErrors;
  listeners: NotificationListeners;
  durations: Pick<StartDurations, "spawn" | "initialize">;
}

/** A connection over a session of either era. */
export class ServerConnection implements MCPServerConnection {
  readonly name: string;
  readonly transport: TransportType;
  readonly serverInfo: ServerInfo;
  readonly capabilities: ServerCapabilities;
  readonly protocolVersion: string;
  readonly era: ProtocolEra;
  readonly instructions?: string;
  readonly pid?: number;
  readonly durations: Pick<StartDurations, "spawn" | "initialize">;
  readonly closed: Promise<CloseReason>;
  declare readonly config: MCPServerConfig;
  readonly #session: ProtocolSession;
  readonly #link: ServerLink;
  readonly #errors: ServerErrors;
  readonly #listeners: NotificationListeners;

  constructor(input: ServerConnectionInput) {
    const { session, link } = input;
    this.name = input.name;
    this.transport = link.transportType ?? transportOf(input.config);
    // Not enumerable, so that whoever prints a connection prints no secret.
    Object.defineProperty(this, "config", { value: input.config, enumerable: false });
    this.serverInfo = session.serverInfo;
    this.capabilities = session.capabilities;
    this.protocolVersion = session.protocolVersion;
    this.era = session.era;
    if (session.instructions !== undefined) this.instructions = session.instructions;
    if (link.pid !== undefined) this.pid = link.pid;
    this.durations = input.durations;
    this.closed = link.closed;
    this.#session = session;
    this.#link = link;
    this.#errors = input.errors;
    this.#listeners = input.listeners;
  }

  get closeReason(): CloseReason | undefined {
    return this.#link.closeReason;
  }

  stderr(): string {
    return this.#link.stderr();
  }

  async request(
    method: string,
    params?: Record<string, unknown>,
    options: RequestOptions = {},
  ): Promise<Record<string, unknown>> {
    const { signal } = options;
    if (signal?.aborted === true) throw this.#aborted(method, signal);
    if (this.closeReason !== undefined) throw this.#closed(this.closeReason, method);
    const { idle, total } = requestLimits(this.config.timeout, options);
    const exchange: ExchangeOptions = { idle, total, onProgress: options.onProgress };
    let unlisten: (() => void) | undefined;
    if (signal !== undefined) {
      const relay = new AbortController();
      const cancel = () => relay.abort(CANCEL_REASON);
      signal.addEventListener("abort", cancel, { once: true });
      unlisten = () => signal.removeEventListener("abort", cancel);
      exchange.signal = relay.signal;
    }
    try {
      return await this.#session.request(method, params, exchange);
    } catch (error) {
      if (signal !== undefined && isAborted(signal)) throw this.#aborted(method, signal);
      if (error instanceof InputClosedError) await this.closed;
      if (this.closeReason !== undefined) throw this.#closed(this.closeReason, method);
      throw toRequestError(error, { method, idle, total }, this.#errors.during(stageOf(method)));
    } finally {
      unlisten?.();
    }
  }

  async notify(method: string, params?: Record<string, unknown>): Promise<void> {
    if (this.closeReason !== undefined) throw this.#closed(this.closeReason, method);
    try {
      await this.#session.notify(method, params);
    } catch (error) {
      throw toRequestError(error, { method, idle: 0, total: 0 }, this.#errors.during("request"));
    }
  }

  onNotification(method: string, listener: NotificationListener): () => void {
    return this.#listeners.add(method, listener);
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  #closed(reason: CloseReason, method: string): ToolgateError {
    return this.#errors.during(stageOf(method)).fromCloseReason(reason, method);
  }

  #aborted(method: string, signal: AbortSignal): AbortError {
    return new AbortError(`${method} to the server "${this.name}" was cancelled`, signal);
  }
}

function stageOf(method: string): ErrorStage {
  if (method === "tools/call") return "call";
  return method.endsWith("/list") ? "list" : "request";
}
