import { type MCPServerConfig, type ProtocolEra, transportOf } from "@toolgate/contracts";

import { AbortError, isAborted } from "./abort-error.ts";
import { systemClock } from "./clock.ts";
import { HandshakeFailure, toConnectError } from "./connect-errors.ts";
import type { ConnectOptions } from "./connect-options.ts";
import type { MCPServerConnection } from "./connection.ts";
import { CurrentLink, type StartedLink, type StartLink } from "./current-link.ts";
import type { ObserveMessage } from "./lend-transport.ts";
import { type EraNegotiation, negotiateEra, planEras } from "./negotiate-era.ts";
import { NotificationListeners } from "./notification-listeners.ts";
import { DEFAULT_CONNECT_TIMEOUT } from "./request-limits.ts";
import { ServerConnection } from "./server-connection.ts";
import { ServerErrors } from "./server-errors.ts";
import type { ServerLink } from "./server-link.ts";

const NO_LIMIT = 2_147_483_647;

/** Starts or reaches a server, shakes hands with it, and cleans up after itself when that fails. */
export async function openConnection(
  name: string,
  config: MCPServerConfig,
  options: ConnectOptions,
): Promise<MCPServerConnection> {
  const errors = new ServerErrors(name, config, options.source);
  if (config.protocol === "modern" && config.type === "sse") {
    throw errors
      .during("config")
      .create("PROTOCOL_UNSUPPORTED", 'asks for "protocol": "modern", which has no "type": "sse".');
  }
  const clock = options.clock ?? systemClock;
  const { signal } = options;
  if (signal?.aborted === true) throw new AbortError(`Connecting the server "${name}" was cancelled`, signal);
  const started = clock.now();
  // A process is the same for both eras, so that it does not wait for what is remembered.
  const first = "url" in config ? planEras(config, await options.era)[0] : undefined;
  const era = first ?? "legacy";
  const start: StartLink = (next) => startLink(config, options, { errors, era: next });
  const current = await CurrentLink.open(start, era, await observerOf(options, errors));
  const limit = config.startupTimeout ?? config.timeout ?? DEFAULT_CONNECT_TIMEOUT;
  const guard = new HandshakeGuard();
  const timer = limit === 0 ? undefined : clock.setTimeout(() => guard.fail("timeout"), Math.min(limit, NO_LIMIT));
  const abort = () => guard.fail("abort");
  signal?.addEventListener("abort", abort, { once: true });
  if (isAborted(signal)) abort();
  let spawn = 0;
  const listeners = new NotificationListeners();
  const negotiation: EraNegotiation = {
    config,
    options,
    errors,
    listeners,
    clock,
    limit,
    current,
    era,
    failed: guard.failed,
    onReady: () => {
      const { pid } = current.link;
      if (pid === undefined) return;
      spawn = clock.now() - started;
      options.onSpawn?.(pid);
    },
  };
  try {
    await Promise.race([current.link.ready, guard.failed]);
    negotiation.onReady();
    const plan = planEras(config, await Promise.race([options.era, guard.failed]));
    const session = await negotiateEra(negotiation, plan);
    const { link } = current;
    const initialize = clock.now() - started - spawn;
    return new ServerConnection({ name, config, session, link, errors, listeners, durations: { spawn, initialize } });
  } catch (error) {
    const { link, spawned } = current;
    const failure = await settleFailure(error, link);
    await link.close();
    if (failure === "abort" && signal !== undefined) {
      throw new AbortError(`Connecting the server "${name}" was cancelled`, signal);
    }
    throw toConnectError(failure, { config, link, limit, errors, era: negotiation.era, spawned });
  } finally {
    if (timer !== undefined) clock.clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

/** Whoever looks on at the messages; what that takes is loaded for nobody else. */
async function observerOf(options: ConnectOptions, errors: ServerErrors): Promise<ObserveMessage | undefined> {
  if (options.onMessage === undefined) return undefined;
  const { observeMessage } = await import("./observe-message.ts");
  return (message, direction) => options.onMessage?.(observeMessage(message, direction, errors.redact));
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
  // A link that is closed by the host is not why the handshake failed.
  return link.closeReason === undefined || link.closeReason.kind === "closed" ? error : link.closeReason;
}

async function startLink(
  config: MCPServerConfig,
  options: ConnectOptions,
  { errors, era }: { errors: ServerErrors; era: ProtocolEra },
): Promise<StartedLink> {
  if (transportOf(config) === "stdio" && "command" in config) {
    const { spawnServer } = await import("../stdio/spawn-server.ts");
    try {
      const spawned = spawnServer(config, options);
      return { link: spawned.transport, spawned };
    } catch (error) {
      // The system's error holds all arguments as they are, so that it is quoted and not attached.
      const why = errors.messageOf(error);
      throw errors.during("spawn").create("SPAWN_FAILED", `could not be started as: ${errors.target}\n${why}`);
    }
  }
  const { createRemoteLink } = await import("../remote/remote-link.ts");
  if (!("url" in config)) throw errors.during("config").create("CONFIG_INVALID", 'has neither "command" nor "url".');
  return { link: await createRemoteLink(config, options, { errors, era }) };
}
