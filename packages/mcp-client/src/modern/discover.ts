import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { isRecord } from "@toolgate/contracts";

import type { ClientIdentity } from "../connection/client-identity.ts";
import type { Clock } from "../connection/clock.ts";
import { MODERN_REVISION, NoDiscoveryError } from "../connection/protocol-versions.ts";
import { AnsweredError } from "../connection/request-errors.ts";

const META = "io.modelcontextprotocol";
const PROBE_ID = "toolgate-discover";

/** What a server says of itself when it is asked by `server/discover`. */
export interface Discovery {
  supportedVersions: string[];
  capabilities: Record<string, unknown>;
  instructions?: string;
  _meta?: Record<string, unknown>;
  [field: string]: unknown;
}

/** Who asks, and for how many milliseconds an answer is waited for; without `patience` for ever. */
export interface DiscoverInput {
  identity: ClientIdentity;
  clock: Clock;
  patience: number | undefined;
}

/**
 * Asks a server by `server/discover` what it is, before any protocol client is there: a server of the other era is
 * recognised without loading one.
 *
 * @throws NoDiscoveryError for silence and for an answer that is none; the server's JSON-RPC error; else what the
 * transport rejects with
 */
export async function discover(transport: Transport, input: DiscoverInput): Promise<Discovery> {
  const { clock, identity, patience } = input;
  let timer: unknown;
  try {
    const answer = new Promise<JSONRPCMessage>((resolve, reject) => {
      transport.onmessage = (message) => {
        if ("id" in message && message.id === PROBE_ID && !("method" in message)) resolve(message);
      };
      transport.onclose = () => reject(new Error("the connection was closed"));
      if (patience !== undefined) {
        const giveUp = () => reject(new NoDiscoveryError("it did not answer server/discover"));
        timer = clock.setTimeout(giveUp, patience);
      }
    });
    answer.catch(() => {});
    await transport.start();
    await transport.send(createProbe(identity));
    return readDiscovery(await answer);
  } finally {
    if (timer !== undefined) clock.clearTimeout(timer);
  }
}

function createProbe({ clientInfo, capabilities }: ClientIdentity): JSONRPCMessage {
  return {
    jsonrpc: "2.0",
    id: PROBE_ID,
    method: "server/discover",
    params: {
      _meta: {
        [`${META}/protocolVersion`]: MODERN_REVISION,
        [`${META}/clientInfo`]: clientInfo,
        [`${META}/clientCapabilities`]: capabilities,
      },
    },
  };
}

function readDiscovery(message: JSONRPCMessage): Discovery {
  if ("error" in message) throw new AnsweredError(message.error);
  const result: unknown = "result" in message ? message.result : undefined;
  const versions = isRecord(result) ? result["supportedVersions"] : undefined;
  if (!isRecord(result) || !Array.isArray(versions)) {
    throw new NoDiscoveryError("it answered server/discover without naming the revisions that it speaks");
  }
  const supportedVersions = versions.map(String);
  if (!supportedVersions.includes(MODERN_REVISION)) {
    throw new NoDiscoveryError(`it speaks ${supportedVersions.join(", ")}`, supportedVersions);
  }
  const { capabilities, instructions, _meta } = result;
  return {
    supportedVersions,
    capabilities: isRecord(capabilities) ? capabilities : {},
    ...(typeof instructions === "string" ? { instructions } : {}),
    ...(isRecord(_meta) ? { _meta } : {}),
    // What the SDK insists on, and what is of no use here: nothing is kept of it.
    resultType: "complete",
    ttlMs: 0,
    cacheScope: "private",
  };
}
