import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { isRecord, type MCPServerConfig, silentLogger, transportOf } from "@toolgate/contracts";

import type { SpawnedServer } from "../stdio/spawn-server.ts";
import { AbortError, isAborted } from "./abort-error.ts";
import { systemClock } from "./clock.ts";
import { HandshakeFailure, toConnectError } from "./connect-errors.ts";
import type { ConnectOptions } from "./connect-options.ts";
import type { MCPServerConnection } from "./connection.ts";
import { DEFAULT_CONNECT_TIMEOUT } from "./request-limits.ts";
import { NotificationListeners, ServerConnection } from "./server-connection.ts";
import { ServerErrors } from "./server-errors.ts";
import type { ServerLink } from "./server-link.ts";

const NO_LIMIT = 2_147_483_647;
const METHOD_NOT_FOUND = -32_601;

/** Starts or reaches a server, shakes hands with it, and cleans up after itself when that fails. */
export async function openConnection(
  name: string,
  config: MCPServerConfig,
  options: ConnectOptions,
): Promise<MCPServerConnection> {
  const errors = new ServerErrors(name, config, options.source);
  if (config.protocol === "modern") {
    throw errors.create("PROTOCOL_UNSUPPORTED", 'asks for "protocol": "modern", which is not spoken yet.');
  }
  const clock = options.clock ?? systemClock;
  const { signal } = options;
  if (signal?.aborted === true) throw new AbortError(`Connecting the server "${name}" was cancelled`, signal);
  const started = clock.now();
  const { link, spawned } = await startLink(config, options, errors);
  const limit = config.startupTimeout ?? config.timeout ?? DEFAULT_CONNECT_TIMEOUT;
  const guard = new HandshakeGuard();
  const timer = limit === 0 ? undefined : clock.setTimeout(() => guard.fail("timeout"), Math.min(limit, NO_LIMIT));
  const abort = () => guard.fail("abort");
  signal?.addEventListener("abort", abort, { once: true });
  if (isAborted(signal)) abort();
  try {
    await Promise.race([link.ready, guard.failed]);
    const spawn = link.pid === undefined ? 0 : clock.now() - started;
    if (link.pid !== undefined) options.onSpawn?.(link.pid);
    const listeners = new NotificationListeners();
    const client = await Promise.race([createClient(options, errors, listeners), guard.failed]);
    // The limit is ours: it counts from the start of the process, and it ends the whole tree.
    await Promise.race([client.connect(link.transport, { timeout: NO_LIMIT }), guard.failed]);
    const initialize = clock.now() - started - spawn;
    return new ServerConnection({ name, config, client, link, errors, listeners, durations: { spawn, initialize } });
  } catch (error) {
    const failure = await settleFailure(error, link);
    await link.close();
    if (failure === "abort" && signal !== undefined) {
      throw new AbortError(`Connecting the server "${name}" was cancelled`, signal);
    }
    throw toConnectError(failure, { config, link, limit, errors, spawned });
  } finally {
    if (timer !== undefined) clock.clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

/** Rejects when time is up or the caller gives up. */
class HandshakeGuard {
  readonly failed: Promise<never>;
  #reject: (failure: HandshakeFailure) => void = () => {};

  constructor() {
    this.failed = new Promise((_, reject) => {
      this.#reject = reject;
    });
    this.failed.catch(() => {});
  }

  fail(kind: "timeout" | "abort"): void {
    this.#reject(new HandshakeFailure(kind));
  }
}

/** Why the handshake failed, seen before the link is closed: a pipe that breaks is explained by the exit that follows. */
async function settleFailure(error: unknown, link: ServerLink): Promise<unknown> {
  if (error instanceof HandshakeFailure) return error.kind === "abort" ? "abort" : error;
  if (error instanceof Error && error.name === "InputClosedError") await link.closed;
  // The SDK closes the transport when the handshake fails; that is not why it failed.
  return link.closeReason === undefined || link.closeReason.kind === "closed" ? error : link.closeReason;
}

async function startLink(
  config: MCPServerConfig,
  options: ConnectOptions,
  errors: ServerErrors,
): Promise<{ link: ServerLink; spawned?: SpawnedServer }> {
  if (transportOf(config) === "stdio" && "command" in config) {
    const { spawnServer } = await import("../stdio/spawn-server.ts");
    try {
      const spawned = spawnServer(config, options);
      return { link: spawned.transport, spawned };
    } catch (error) {
      // The system's error holds all arguments as they are, so that it is quoted and not attached.
      throw errors.create("SPAWN_FAILED", `could not be started as: ${errors.target}\n${errors.messageOf(error)}`);
    }
  }
  const { createRemoteLink } = await import("../remote/remote-link.ts");
  if (!("url" in config)) throw errors.create("CONFIG_INVALID", 'has neither "command" nor "url".');
  return { link: await createRemoteLink(config, options, errors) };
}

async function createClient(
  options: ConnectOptions,
  errors: ServerErrors,
  listeners: NotificationListeners,
): Promise<Client> {
  const { Client: SdkClient } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { roots, logger = silentLogger, clientInfo = { name: "toolgate", version: "0.0.0" } } = options;
  const capabilities = {
    ...options.capabilities,
    ...(roots === undefined ? {} : { roots: { ...options.capabilities?.roots } }),
  };
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
  client.fallbackRequestHandler = async (request, extra) => {
    const handler = options.requestHandlers?.[request.method];
    if (handler !== undefined) return handler(isRecord(request.params) ? request.params : {}, { signal: extra.signal });
    if (request.method === "roots/list" && roots !== undefined) return { roots: [...roots] };
    throw Object.assign(new Error("Method not found"), { code: METHOD_NOT_FOUND });
  };
  return client;
}
