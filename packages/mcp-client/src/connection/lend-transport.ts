import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

import type { MessageDirection } from "./observe-message.ts";

/** Sees a message on its way. Must not throw. */
export type ObserveMessage = (message: JSONRPCMessage, direction: MessageDirection) => void;

/**
 * Lends a link's transport to one protocol client after the other: what a client that failed does to its transport
 * reaches the link no more, so that the next client goes on over the same process.
 *
 * Contract: the link's transport is started once; only the latest borrower hears from it.
 */
export class TransportLender {
  readonly #transport: Transport;
  readonly #observe: ObserveMessage | undefined;
  #started: Promise<void> | undefined;
  #borrower: Transport | undefined;
  #receive: ((message: JSONRPCMessage) => JSONRPCMessage) | undefined;

  /** @param observe - Sees every message, before the client and the server do. */
  constructor(transport: Transport, observe?: ObserveMessage) {
    this.#transport = transport;
    this.#observe = observe;
  }

  /**
   * Hands the transport to the next client, and takes it from the one before.
   *
   * @param receive - Sees what comes in before the client does, and may change it.
   */
  lend(receive?: (message: JSONRPCMessage) => JSONRPCMessage): Transport {
    const inner = this.#transport;
    const borrower: Transport = {
      start: () => {
        this.#started ??= this.#start();
        return this.#started;
      },
      send: (message, options) => {
        this.#observe?.(message, "sent");
        return inner.send(message, options);
      },
      close: () => {
        if (this.#borrower === borrower) this.#borrower = undefined;
        borrower.onclose?.();
        return Promise.resolve();
      },
      setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
    };
    // What the SDK looks up on a transport now and then, and what may change there.
    for (const property of ["sessionId", "hasPerRequestStream"]) {
      if (property in inner) {
        Object.defineProperty(borrower, property, {
          get: () => (inner as unknown as Record<string, unknown>)[property],
        });
      }
    }
    this.#borrower = borrower;
    this.#receive = receive;
    return borrower;
  }

  #start(): Promise<void> {
    const inner = this.#transport;
    // The SDK knows no other way than to set these.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    inner.onmessage = (message, extra) => {
      this.#observe?.(message, "received");
      this.#borrower?.onmessage?.(this.#receive === undefined ? message : this.#receive(message), extra);
    };
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    inner.onerror = (error) => this.#borrower?.onerror?.(error);
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    inner.onclose = () => this.#borrower?.onclose?.();
    return inner.start();
  }
}
