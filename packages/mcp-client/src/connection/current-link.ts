import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { ProtocolEra } from "@toolgate/contracts";

import type { SpawnedServer } from "../stdio/spawn-server.ts";
import { type ObserveMessage, TransportLender } from "./lend-transport.ts";
import type { ServerLink } from "./server-link.ts";

/** A link, and what is known of the process behind it. */
export interface StartedLink {
  link: ServerLink;
  spawned?: SpawnedServer;
}

/** Starts or reaches a server; over HTTP each era has a transport of its own. */
export type StartLink = (era: ProtocolEra) => Promise<StartedLink>;

/** The link that a connection is being made over. */
export class CurrentLink {
  readonly #start: StartLink;
  readonly #observe: ObserveMessage | undefined;
  #started: StartedLink;
  #lender: TransportLender;

  private constructor(start: StartLink, started: StartedLink, observe: ObserveMessage | undefined) {
    this.#start = start;
    this.#started = started;
    this.#observe = observe;
    this.#lender = new TransportLender(started.link.transport, observe);
  }

  /** @throws what starting the link throws */
  static async open(start: StartLink, era: ProtocolEra, observe?: ObserveMessage): Promise<CurrentLink> {
    return new CurrentLink(start, await start(era), observe);
  }

  get link(): ServerLink {
    return this.#started.link;
  }

  get spawned(): SpawnedServer | undefined {
    return this.#started.spawned;
  }

  /** The link's transport for the next protocol client, see {@link TransportLender}. */
  lend(receive?: (message: JSONRPCMessage) => JSONRPCMessage): Transport {
    return this.#lender.lend(receive);
  }

  /**
   * A process that runs is kept for the other era; one that ended is started anew, and so is what HTTP has.
   *
   * @returns whether there is a new link, which may not be ready yet
   */
  async prepare(era: ProtocolEra): Promise<boolean> {
    const { link } = this;
    if (link.pid !== undefined && link.closeReason === undefined) return false;
    await link.close();
    this.#started = await this.#start(era);
    this.#lender = new TransportLender(this.#started.link.transport, this.#observe);
    return true;
  }
}
