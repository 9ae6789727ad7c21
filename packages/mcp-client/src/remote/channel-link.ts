import type { Transport, TransportSendOptions } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { isRecord, type TransportType } from "@toolgate/contracts";

import { type Clock, settlesWithin } from "../connection/clock.ts";
import type { CloseReason } from "../connection/connection.ts";
import { LostAnswer, OversizedAnswer, type ServerLink } from "../connection/server-link.ts";
import { type Channel, type ChannelEvents, MESSAGE_LIMIT } from "./channel.ts";
import { describeFailure, describeNetworkError, type HttpStatusError } from "./http-errors.ts";
import { asksForSse, startSse, withSseFailure } from "./sse-fallback.ts";

/** Milliseconds for telling a server that its session is over. */
const TERMINATE_LIMIT = 1000;
const INTERNAL_ERROR = -32_603;

/** What a link is made from. */
export interface ChannelLinkInput {
  clock: Clock;
  /** The server's address as it may be shown. */
  address: string;
  /** Releases what requests were sent by. */
  closeNetwork(): Promise<void>;
}

/** A link over one of the SDK's HTTP transports, and over the older one when a server refuses the newer. */
export class ChannelLink implements ServerLink, Transport, ChannelEvents {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport["onmessage"]>;
  readonly pid = undefined;
  readonly ready: Promise<void> = Promise.resolve();
  readonly closed: Promise<CloseReason>;
  readonly #input: ChannelLinkInput;
  readonly #inFlight = new Set<string | number>();
  #channel!: Channel;
  #openFallback: (() => Promise<Channel>) | undefined;
  /** How the newer transport was refused. */
  #refusal: HttpStatusError | undefined;
  #resolveClosed: (reason: CloseReason) => void = () => {};
  #closeReason: CloseReason | undefined;
  #protocolVersion: string | undefined;
  #lastRequestId: string | number | undefined;
  #ending: Promise<void> | undefined;

  constructor(input: ChannelLinkInput) {
    this.#input = input;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  /** Sets the channel, and how to open another one when the server refuses `initialize` on it. */
  use(channel: Channel, openFallback?: () => Promise<Channel>): void {
    this.#channel = channel;
    this.#openFallback = openFallback;
    const { transport } = channel;
    /* oxlint-disable unicorn/prefer-add-event-listener -- the SDK knows no other way */
    transport.onmessage = (message, extra) => this.#receive(message, extra);
    transport.onerror = (error) => this.onerror?.(error);
    /* oxlint-enable unicorn/prefer-add-event-listener */
  }

  get transport(): Transport {
    return this;
  }

  get transportType(): TransportType {
    return this.#channel.type;
  }

  get closeReason(): CloseReason | undefined {
    return this.#closeReason;
  }

  get protocolVersion(): string | undefined {
    return this.#protocolVersion;
  }

  get lastRequestId(): string | number | undefined {
    return this.#lastRequestId;
  }

  get note(): string {
    if (this.#refusal === undefined) return "";
    return `It answered initialize with ${describeFailure(this.#refusal)}; the older SSE transport was tried then.`;
  }

  /** Whether a request is given up by ending its own stream; what the SDK asks of a transport of the modern era. */
  get hasPerRequestStream(): boolean {
    return (this.#channel.transport as { hasPerRequestStream?: boolean }).hasPerRequestStream ?? false;
  }

  stderr(): string {
    return "";
  }

  start(): Promise<void> {
    return this.#channel.transport.start();
  }

  setProtocolVersion(version: string): void {
    this.#protocolVersion = version;
    this.#openFallback = undefined;
    this.#channel.transport.setProtocolVersion?.(version);
    this.#channel.connected();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const isRequest = "method" in message && "id" in message;
    if (isRequest) {
      const { id } = message;
      this.#lastRequestId = id;
      this.#inFlight.add(id);
      const { requestSignal } = (options ?? {}) as { requestSignal?: AbortSignal };
      requestSignal?.addEventListener("abort", () => this.#drop({ requestId: id }), { once: true });
    }
    try {
      await this.#channel.transport.send(message, options);
    } catch (error) {
      const refusal = isRequest && message.method === "initialize" ? asksForSse(error) : undefined;
      const openFallback = this.#openFallback;
      if (refusal === undefined || openFallback === undefined || this.#closeReason !== undefined) {
        if (isRequest) this.#inFlight.delete(message.id);
        throw error;
      }
      await this.#fallBack(refusal, await openFallback(), message);
    }
    if ("method" in message && message.method === "notifications/cancelled") this.#drop(message.params);
  }

  close(): Promise<void> {
    this.#finish({ kind: "closed", message: "The connection was closed by the host." });
    // Calls in flight end now, not when the server has been told.
    this.onclose?.();
    this.#ending ??= this.#end(true);
    return this.#ending;
  }

  isBusy(): boolean {
    return this.#inFlight.size > 0;
  }

  onOversized(requestId: string | number): void {
    const data = new OversizedAnswer(MESSAGE_LIMIT);
    this.#reject(requestId, `an answer of more than ${MESSAGE_LIMIT} bytes`, data);
  }

  onLost(requestId: string | number, error: unknown): void {
    const isHandshake = this.#protocolVersion === undefined && this.#refusal !== undefined;
    const cause = isHandshake && this.#refusal !== undefined ? withSseFailure(this.#refusal, error) : error;
    this.#reject(requestId, describeFailure(cause), new LostAnswer(cause));
  }

  onGone(error: unknown): void {
    if (this.#closeReason !== undefined) return;
    if (this.#protocolVersion === undefined) {
      // Nothing is connected yet that could be over: what is asked for fails, and says why.
      for (const requestId of this.#inFlight) this.onLost(requestId, error);
      return;
    }
    const { code = "UNKNOWN", address, text = describeFailure(error) } = describeNetworkError(error) ?? {};
    this.#finish({
      kind: "failed",
      message: `The server at ${this.#input.address} cannot be reached any more: ${text}.`,
      network: { code, text, ...(address === undefined ? {} : { address }) },
    });
    this.onclose?.();
    this.#ending ??= this.#end(false);
  }

  /** Records why the connection is over; the first reason stays. */
  #finish(reason: CloseReason): void {
    if (this.#closeReason !== undefined) return;
    this.#closeReason = reason;
    this.#resolveClosed(reason);
  }

  async #end(tellServer: boolean): Promise<void> {
    const { transport } = this.#channel;
    this.#inFlight.clear();
    this.#channel.release();
    if (tellServer)
      await settlesWithin(
        this.#channel.terminate().catch(() => {}),
        TERMINATE_LIMIT,
        this.#input.clock,
      );
    await transport.close().catch(() => {});
    await this.#input.closeNetwork().catch(() => {});
  }

  async #fallBack(refusal: HttpStatusError, sse: Channel, message: JSONRPCMessage): Promise<void> {
    const refused = this.#channel;
    this.#refusal = refusal;
    this.use(sse);
    refused.release();
    await refused.transport.close();
    // The host may have given up in the meantime.
    if (this.#closeReason !== undefined) return sse.transport.close();
    try {
      await startSse(sse.transport, this.#input.clock, this.closed);
      if (this.#closeReason === undefined) await sse.transport.send(message);
    } catch (error) {
      throw withSseFailure(refusal, error);
    }
  }

  #receive(message: JSONRPCMessage, extra?: Parameters<NonNullable<Transport["onmessage"]>>[1]): void {
    if (!("method" in message) && message.id !== undefined) this.#inFlight.delete(message.id);
    this.onmessage?.(message, extra);
  }

  #reject(id: string | number, message: string, data: unknown): void {
    if (!this.#inFlight.has(id)) return;
    this.#receive({ jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message, data } });
  }

  #drop(params: unknown): void {
    const requestId = isRecord(params) ? params["requestId"] : undefined;
    if (typeof requestId !== "string" && typeof requestId !== "number") return;
    this.#inFlight.delete(requestId);
    this.#channel.drop(requestId);
  }
}
