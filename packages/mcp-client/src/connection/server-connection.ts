import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  type MCPServerConfig,
  messageOf,
  type ProtocolEra,
  type StartDurations,
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
import { isTimeout, toRequestError } from "./request-errors.ts";
import { requestLimits } from "./request-limits.ts";
import type { ServerErrors } from "./server-errors.ts";
import { InputClosedError, type ServerLink } from "./server-link.ts";

/** All that a server learns of why a request was cancelled: a caller's own reason is none of its business. */
const CANCEL_REASON = "The client cancelled the request.";

/** Takes every result as it is. The SDK accepts this form of a schema; a real one would be run on each answer. */
const ANY_RESULT = {
  safeParse: (data: unknown) => ({ success: true, data }),
} as unknown as Parameters<Client["request"]>[1];

const PLAIN_METHODS = new Set(["ping", "logging/setLevel"]);

/** What a connection is made from, once the handshake is done. */
export interface ServerConnectionInput {
  name: string;
  config: MCPServerConfig;
  client: Client;
  link: ServerLink;
  errors: ServerErrors;
  listeners: NotificationListeners;
  durations: Pick<StartDurations, "spawn" | "initialize">;
}

/** The listeners of one connection by method. */
export class NotificationListeners {
  readonly #byMethod = new Map<string, Set<NotificationListener>>();

  add(method: string, listener: NotificationListener): () => void {
    const listeners = this.#byMethod.get(method) ?? new Set();
    this.#byMethod.set(method, listeners.add(listener));
    return () => {
      listeners.delete(listener);
    };
  }

  dispatch(method: string, params: Record<string, unknown>): void {
    for (const listener of this.#byMethod.get(method) ?? []) listener(params);
  }
}

/** A connection over the SDK's client. */
export class ServerConnection implements MCPServerConnection {
  readonly name: string;
  readonly transport: TransportType;
  readonly serverInfo: ServerInfo;
  readonly capabilities: ServerCapabilities;
  readonly protocolVersion: string;
  readonly era: ProtocolEra = "legacy";
  readonly instructions?: string;
  readonly pid?: number;
  readonly durations: Pick<StartDurations, "spawn" | "initialize">;
  readonly closed: Promise<CloseReason>;
  declare readonly config: MCPServerConfig;
  readonly #client: Client;
  readonly #link: ServerLink;
  readonly #errors: ServerErrors;
  readonly #listeners: NotificationListeners;

  constructor(input: ServerConnectionInput) {
    const { client, link } = input;
    this.name = input.name;
    this.transport = link.transportType ?? transportOf(input.config);
    // Not enumerable, so that whoever prints a connection prints no secret.
    Object.defineProperty(this, "config", { value: input.config, enumerable: false });
    this.serverInfo = (client.getServerVersion() ?? { name: "", version: "" }) as ServerInfo;
    this.capabilities = (client.getServerCapabilities() ?? {}) as ServerCapabilities;
    this.protocolVersion = link.protocolVersion ?? "";
    const instructions = client.getInstructions();
    if (instructions !== undefined) this.instructions = instructions;
    if (link.pid !== undefined) this.pid = link.pid;
    this.durations = input.durations;
    this.closed = link.closed;
    this.#client = client;
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
    if (this.closeReason !== undefined) throw this.#errors.fromCloseReason(this.closeReason, method);
    const { idle, total } = requestLimits(this.config.timeout, options);
    // Without a progress handler the SDK asks for no progress, and its idle limit would be a limit in all.
    const asksForProgress =
      options.onProgress !== undefined || !(method.endsWith("/list") || PLAIN_METHODS.has(method));
    const sdkOptions: NonNullable<Parameters<Client["request"]>[2]> = {
      timeout: idle,
      maxTotalTimeout: total,
      resetTimeoutOnProgress: true,
      ...(asksForProgress ? { onprogress: (options.onProgress ?? ignore) as (progress: object) => void } : {}),
    };
    let unlisten: (() => void) | undefined;
    if (signal !== undefined) {
      const relay = new AbortController();
      const cancel = () => relay.abort(CANCEL_REASON);
      signal.addEventListener("abort", cancel, { once: true });
      unlisten = () => signal.removeEventListener("abort", cancel);
      sdkOptions.signal = relay.signal;
    }
    let id: string | number | undefined;
    try {
      const answer = this.#client.request(
        params === undefined ? { method } : { method, params },
        ANY_RESULT,
        sdkOptions,
      );
      id = this.#link.lastRequestId;
      return (await answer) as Record<string, unknown>;
    } catch (error) {
      if (signal !== undefined && isAborted(signal)) throw this.#aborted(method, signal);
      // The SDK tells the server of an idle limit, but not of the limit in all.
      if (isTimeout(error) === "total") this.#cancel(id);
      if (error instanceof InputClosedError) await this.closed;
      if (this.closeReason !== undefined) throw this.#errors.fromCloseReason(this.closeReason, method);
      throw toRequestError(error, { method, idle, total }, this.#errors);
    } finally {
      unlisten?.();
    }
  }

  async notify(method: string, params?: Record<string, unknown>): Promise<void> {
    if (this.closeReason !== undefined) throw this.#errors.fromCloseReason(this.closeReason, method);
    try {
      await this.#client.notification(params === undefined ? { method } : { method, params });
    } catch (error) {
      throw toRequestError(error, { method, idle: 0, total: 0 }, this.#errors);
    }
  }

  onNotification(method: string, listener: NotificationListener): () => void {
    return this.#listeners.add(method, listener);
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  #aborted(method: string, signal: AbortSignal): AbortError {
    return new AbortError(`${method} to the server "${this.name}" was cancelled`, signal);
  }

  #cancel(requestId: string | number | undefined): void {
    if (requestId === undefined) return;
    this.#client
      .notification({ method: "notifications/cancelled", params: { requestId, reason: CANCEL_REASON } })
      // The request is given up in any case.
      .catch((error: unknown) => void messageOf(error));
  }
}

function ignore(): void {}
