import type { Client, Transport } from "@modelcontextprotocol/client";
import type { Transport as LinkTransport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { isRecord, silentLogger } from "@toolgate/contracts";

import { type ClientIdentity, clientIdentity } from "../connection/client-identity.ts";
import type { Clock } from "../connection/clock.ts";
import type { ConnectOptions } from "../connection/connect-options.ts";
import type { NotificationListeners } from "../connection/notification-listeners.ts";
import type { ProtocolSession } from "../connection/protocol-session.ts";
import type { ServerErrors } from "../connection/server-errors.ts";
import type { ServerLink } from "../connection/server-link.ts";
import { discover } from "./discover.ts";
import { ModernSession } from "./modern-session.ts";
import { wrapResult } from "./raw-results.ts";
import { Subscriptions } from "./subscriptions.ts";

/** What a session of the modern era is opened with. */
export interface ModernSessionOptions {
  options: ConnectOptions;
  errors: ServerErrors;
  listeners: NotificationListeners;
  link: ServerLink;
  clock: Clock;
  /** Milliseconds to wait for an answer to `server/discover`; without it for ever. */
  patience: number | undefined;
  /** The link's transport for the next client; `receive` sees and may change what comes in. */
  lend(receive?: (message: JSONRPCMessage) => JSONRPCMessage): LinkTransport;
}

/**
 * Asks a server by `server/discover` and makes a session for what it answers, without another round trip.
 *
 * @throws as `discover`
 */
export async function openModernSession(input: ModernSessionOptions): Promise<ProtocolSession> {
  const { clock, errors, lend, link, listeners, options } = input;
  const identity = clientIdentity(options);
  // Loaded while the server starts and thinks.
  const sdk = import("@modelcontextprotocol/client");
  sdk.catch(() => {});
  const discovery = await discover(lend(), { identity, clock, patience: input.patience });
  const client = createClient((await sdk).Client, identity, input);
  await client.connect(lend(wrapResult) as unknown as Transport, {
    prior: { kind: "modern", discover: discovery as never },
  });
  const { logger = silentLogger } = options;
  const subscriptions = new Subscriptions({
    client,
    link,
    clock,
    onFailure: (error) => logger.debug(`${errors.label} sends no notifications: ${errors.messageOf(error)}`),
  });
  listeners.onListen = (method) => subscriptions.listen(method);
  return new ModernSession({ client, options, errors, link, subscriptions });
}

function createClient(
  SdkClient: typeof Client,
  { clientInfo, capabilities }: ClientIdentity,
  { errors, listeners, options }: ModernSessionOptions,
): Client {
  const { logger = silentLogger } = options;
  const client = new SdkClient(clientInfo, {
    capabilities: capabilities as NonNullable<ConstructorParameters<typeof SdkClient>[1]>["capabilities"] & object,
    // Output schemas are never compiled here; without this the SDK makes a validator for each connection.
    jsonSchemaValidator: {
      getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
    },
  });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK knows no other way
  client.onerror = (error) => {
    logger.debug(`${errors.label}: ${errors.messageOf(error)}`);
  };
  client.fallbackNotificationHandler = (notification) => {
    listeners.dispatch(notification.method, isRecord(notification.params) ? notification.params : {});
    return Promise.resolve();
  };
  return client;
}
