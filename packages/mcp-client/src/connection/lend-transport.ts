import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

/**
 * Lends a link's transport to one protocol client after the other: what a client that failed does to its transport
 * reaches the link no more, so that the next client goes on over the same process.
 *
 * Contract: the link's transport is started once; only the latest borrower hears from it.
 */
export class TransportLender {
  readonly #transport: Transport;
  #started: Promise<void> | undefined;
  #borrower: Transport | undefined;
  #receive: ((message: JSONRPCMessage) => JSONRPCMessage) | undefined;

  constructor(transport: Transport) {
    this.#transport = transport;
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
      send: (message, options) => inner.send(message, options),
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
        Object.defineProperty(borrower, property, { get: () => (inner as unknown as Record<string, unknown>)[property] });
      }
    }
    this.#borrower = borrower;
    this.#receive = receive;
    return borrower;
  }

  #start(): Promise<void> {
    const inner = this.#transport;
    inner.onmessage = (message, extra) => {
      this.#borrower?.onmessage?.(this.#receive === undefined ? message : this.#receive(message), extra);
    };
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK knows no other way
    inner.onerror = (error) => this.#borrower?.onerror?.(error);
    inner.onclose = () => this.#borrower?.onclose?.();
    return inner.start();
  }
}
