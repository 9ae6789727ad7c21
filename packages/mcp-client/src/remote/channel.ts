import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { ProtocolEra, TransportType } from "@toolgate/contracts";

import type { Clock } from "../connection/clock.ts";
import type { GetFailure } from "./explain-failures.ts";

/** Bytes of one message of a remote server. */
export const MESSAGE_LIMIT = 67_108_864;

/** What a channel reports to the link that it belongs to. */
export interface ChannelEvents {
  /** The answer to a request is longer than the limit. */
  onOversized(requestId: string | number): void;
  /** The answer to a request will not come. */
  onLost(requestId: string | number, error: unknown): void;
  /** The server cannot be spoken to any more. */
  onGone(error: unknown): void;
  /** Whether requests wait for their answers. */
  isBusy(): boolean;
}

/** What a channel is made from. */
export interface ChannelInput {
  url: URL;
  headers: Record<string, string>;
  fetch: typeof globalThis.fetch;
  failures: GetFailure;
  clock: Clock;
  era: ProtocolEra;
  /** Milliseconds between two pings of a server without a stream. */
  livenessInterval: number | undefined;
  events: ChannelEvents;
}

/** One of the SDK's HTTP transports, with what is put around it. Nothing is sent before the transport is started. */
export interface Channel {
  readonly type: TransportType;
  readonly transport: Transport;
  /** The handshake is done. */
  connected(): void;
  /** Nobody waits for the answer to this request any more. */
  drop(requestId: string | number): void;
  /** Ends all requests and timers. */
  release(): void;
  /** Tells the server that the session is over, where there is one. May reject. */
  terminate(): Promise<void>;
}
