import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { HttpServerConfig, ProtocolEra, SseServerConfig } from "@toolgate/contracts";

import { settlesWithin, systemClock } from "../connection/clock.ts";
import type { ConnectOptions } from "../connection/connect-options.ts";
import type { CloseReason } from "../connection/connection.ts";
import type { ServerErrors } from "../connection/server-errors.ts";
import type { ServerLink } from "../connection/server-link.ts";
import { authorizeFetch } from "./authorize-fetch.ts";
import { HttpStatusError } from "./http-errors.ts";

/** Characters kept of the body of an answer that is an error. */
const BODY_LIMIT = 4096;
/** Milliseconds for telling a server that its session is over. */
const TERMINATE_LIMIT = 1000;

interface RemoteTransport extends Transport {
  terminateSession?(): Promise<void>;
}

/** Makes the SDK's transport for a remote server, that of the era's line; nothing is sent before it is started. */
export async function createRemoteLink(
  config: HttpServerConfig | SseServerConfig,
  options: ConnectOptions,
  { errors, era }: { errors: ServerErrors; era: ProtocolEra },
): Promise<ServerLink> {
  const url = new URL(config.url);
  const headers: Record<string, string> = { ...config.headers };
  if (config.auth !== undefined) {
    for (const name of Object.keys(headers)) if (name.toLowerCase() === "authorization") delete headers[name];
    headers["Authorization"] = `Bearer ${config.auth.token}`;
  }
  const failures = new GetFailure();
  const authorizedFetch = await authorizeFetch(config, options, errors);
  const settings = {
    fetch: explainFailures(authorizedFetch, failures, errors.redact),
    requestInit: { headers },
  };
  let transport: RemoteTransport;
  if (era === "modern") {
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    transport = new StreamableHTTPClientTransport(url, settings) as unknown as RemoteTransport;
  } else if (config.type === "http") {
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
    transport = new StreamableHTTPClientTransport(url, settings);
  } else {
    // The transport of revision 2024-11-05 is deprecated, and there are servers that speak no other.
    const sse = await import("@modelcontextprotocol/sdk/client/sse.js");
    // oxlint-disable-next-line typescript/no-deprecated
    transport = new sse.SSEClientTransport(url, settings);
  }
  return new RemoteLink(transport, failures, options.clock ?? systemClock);
}

/** A link over one of the SDK's HTTP transports. */
class RemoteLink implements ServerLink {
  readonly transport: Transport;
  readonly pid = undefined;
  readonly ready: Promise<void> = Promise.resolve();
  readonly closed: Promise<CloseReason>;
  readonly #remote: RemoteTransport;
  readonly #clock: typeof systemClock;
  #resolveClosed: (reason: CloseReason) => void = () => {};
  #closeReason: CloseReason | undefined;
  #protocolVersion: string | undefined;
  #lastRequestId: string | number | undefined;
  #ending: Promise<void> | undefined;

  constructor(remote: RemoteTransport, failures: GetFailure, clock: typeof systemClock) {
    this.#remote = remote;
    this.#clock = clock;
    this.transport = remote;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    const send = remote.send.bind(remote);
    remote.send = (message, options) => {
      if ("method" in message && "id" in message) this.#lastRequestId = message.id;
      return send(message, options);
    };
    const setProtocolVersion = remote.setProtocolVersion?.bind(remote);
    remote.setProtocolVersion = (version) => {
      this.#protocolVersion = version;
      setProtocolVersion?.(version);
    };
    const start = remote.start.bind(remote);
    // An event stream that cannot be opened is reported by the SDK without its status and body.
    remote.start = () =>
      start().catch((error: unknown) => {
        throw failures.last ?? error;
      });
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

  stderr(): string {
    return "";
  }

  close(): Promise<void> {
    this.finish({ kind: "closed", message: "The connection was closed by the host." });
    // Calls in flight end now, not when the server has been told.
    this.#remote.onclose?.();
    this.#ending ??= this.#end();
    return this.#ending;
  }

  /** Records why the connection is over; the first reason stays. */
  finish(reason: CloseReason): void {
    if (this.#closeReason !== undefined) return;
    this.#closeReason = reason;
    this.#resolveClosed(reason);
  }

  async #end(): Promise<void> {
    const terminated = this.#remote.terminateSession?.().catch(() => {});
    if (terminated !== undefined) await settlesWithin(terminated, TERMINATE_LIMIT, this.#clock);
    await this.#remote.close().catch(() => {});
  }
}

/** The last failure of a GET. Only an event stream is fetched that way, one at a time. */
class GetFailure {
  last: unknown;
}

/** A fetch whose POSTs reject with the status and the end of the body, where the SDK would give a text. */
function explainFailures(
  fetch: typeof globalThis.fetch,
  failures: GetFailure,
  redact: (text: string) => string,
): typeof globalThis.fetch {
  return async (input, init) => {
    const isGet = (init?.method ?? "GET") === "GET";
    let response: Response;
    try {
      response = await fetch(input, init);
    } catch (error) {
      if (isGet) failures.last = error;
      throw error;
    }
    if (response.status < 400 || init?.method === "DELETE") {
      if (isGet) failures.last = undefined;
      return response;
    }
    // 405 is how a server says that it has no stream of its own.
    if (isGet && response.status === 405) {
      failures.last = new HttpStatusError(405, "", null);
      return response;
    }
    const challenge = response.headers.get("www-authenticate");
    const error = new HttpStatusError(response.status, redact(await readEnd(response)), challenge);
    if (!isGet) throw error;
    failures.last = error;
    return new Response(null, { status: response.status, statusText: response.statusText, headers: response.headers });
  };
}

async function readEnd(response: Response): Promise<string> {
  let text = "";
  try {
    const decoder = new TextDecoder();
    // A body may have no end; what is kept is its end, of what is read its beginning.
    let read = 0;
    for await (const chunk of response.body ?? []) {
      const bytes = chunk as Uint8Array;
      read += bytes.length;
      text = (text + decoder.decode(bytes, { stream: true })).slice(-BODY_LIMIT);
      if (read > 64 * BODY_LIMIT) break;
    }
  } catch {
    // The status says enough.
  }
  return text.trim();
}
