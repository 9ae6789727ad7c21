import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { TransportType } from "@toolgate/contracts";

import type { CloseReason } from "./connection.ts";

/**
 * What a connection stands on: an SDK transport, and what the SDK's own interface does not tell.
 *
 * Contract: `closeReason` is set before the transport's `onclose` is called; `close` is idempotent and bounded, and
 * after it nothing of the link is left.
 */
export interface ServerLink {
  readonly transport: Transport;
  readonly pid: number | undefined;
  /** Resolves when requests can be sent; rejects when the server cannot be started. */
  readonly ready: Promise<void>;
  readonly closed: Promise<CloseReason>;
  readonly closeReason: CloseReason | undefined;
  /** The revision that the server answered with. */
  readonly protocolVersion: string | undefined;
  /** Id of the request that was sent last; read it right after sending. */
  readonly lastRequestId: string | number | undefined;
  /** What is spoken, where that may be something else than the entry says. */
  readonly transportType?: TransportType;
  /** What an error of the handshake should mention besides, as whole sentences; may be empty. */
  readonly note?: string;
  /** The beginning of the first thing that came where messages belong and is none. */
  readonly strayOutput?: string | undefined;
  stderr(): string;
  close(): Promise<void>;
}

/** A request could not be written; the link's `closed` says why shortly after. */
export class InputClosedError extends Error {
  override readonly name: string = "InputClosedError";
}

/** A message was not delivered because of its size, or because too many wait already. */
export class UndeliveredError extends Error {
  override readonly name: string = "UndeliveredError";
  readonly tooLarge: boolean;

  constructor(message: string, tooLarge: boolean) {
    super(message);
    this.tooLarge = tooLarge;
  }
}

/** Stands in the `data` of an error response that the transport made up for an oversized answer. */
export class OversizedAnswer {
  readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }
}

/** Stands in the `data` of an error response that the transport made up for an answer that will not come. */
export class LostAnswer {
  /** Why it will not come. */
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}
