import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { isRecord, messageOf, silentLogger } from "@toolgate/contracts";

import { answerServerRequest } from "./answer-server-request.ts";
import { clientIdentity } from "./client-identity.ts";
import type { ConnectOptions } from "./connect-options.ts";
import type { ServerCapabilities, ServerInfo } from "./connection.ts";
import { IdleLimits } from "./idle-limits.ts";
import type { TransportLender } from "./lend-transport.ts";
import type { NotificationListeners } from "./notification-listeners.ts";
import { CANCEL_REASON, type ExchangeOptions, type ProtocolSession, toSdkOptions } from "./protocol-session.ts";
import { UnknownRevisionError } from "./protocol-versions.ts";
import { AnsweredError, isTimeout } from "./request-errors.ts";
import type { ServerErrors } from "./server-errors.ts";
import type { ServerLink } from "./server-link.ts";

/** The limit of a handshake is the connection's own. */
const NO_LIMIT = 2_147_483_647;
const INTERNAL_ERROR = -32_603;
const REQUEST_TIMEOUT = -32_001;

/** Takes every result as it is. The SDK accepts this form of a schema; a real one would be run on each answer. */
const ANY_RESULT = {
  safeParse: (data: unknown) => ({ success: true, data }),
} as unknown as Parameters<Client["request"]>[1];

/** What a session is opened with. */
export interface SessionInput {
  options: ConnectOptions;
  errors: ServerErrors;
  listeners: NotificationListeners;
  link: ServerLink;
  /** Lends the link's transport to the session's client, see {@link TransportLender.lend}. */
  lend: TransportLender["lend"];
}

/**
 * Shakes hands by `initialize`, as revisions up to 2025-11-25 do.
 *
 * @throws UnknownRevisionError for an answer with a revision that is not spoken; else what the SDK rejects with
 */
export async function openLegacySession(input: SessionInput): Promise<ProtocolSession> {
  const firstRequest = new AbortController();
  const { elicitation, requestHandlers, sampling } = input.options;
  const mayOwe = [elicitation, requestHandlers, sampling].some((handlers) => handlers !== undefined);
  const limits = mayOwe ? new IdleLimits() : undefined;
  const client = await createClient(input, { firstCancelled: firstRequest.signal, limits });
  let answered: { revision: unknown } | undefined;
  const transport = input.lend((message) => {
    if (isCancelOfFirstRequest(message)) firstRequest.abort();
    if (answered === undefined && "result" in message && "protocolVersion" in message.result) {
      answered = { revision: message.result["protocolVersion"] };
    }
    return message;
  });
  try {
    await client.connect(transport, { timeout: NO_LIMIT });
  } catch (error) {
    const { SUPPORTED_PROTOCOL_VERSIONS } = await import("@modelcontextprotocol/sdk/types.js");
    if (answered === undefined || SUPPORTED_PROTOCOL_VERSIONS.some((version) => version === answered?.revision)) {
      throw error;
    }
    throw new UnknownRevisionError(answered.revision, SUPPORTED_PROTOCOL_VERSIONS);
  }
  return new LegacySession(client, input.link, limits);
}

/** A session over the client of SDK 1.x. */
class LegacySession implements ProtocolSession {
  readonly era = "legacy";
  readonly protocolVersion: string;
  readonly serverInfo: ServerInfo;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
  readonly #client: Client;
  readonly #link: ServerLink;
  /** For servers that may ask something; without it the limits are the SDK's alone. */
  readonly #limits: IdleLimits | undefined;

  constructor(client: Client, link: ServerLink, limits: IdleLimits | undefined) {
    this.#client = client;
    this.#link = link;
    this.#limits = limits;
    this.protocolVersion = link.protocolVersion ?? "";
    this.serverInfo = (client.getServerVersion() ?? { name: "", version: "" }) as ServerInfo;
    this.capabilities = (client.getServerCapabilities() ?? {}) as ServerCapabilities;
    this.instructions = client.getInstructions();
  }

  async request(
    method: string,
    params: Record<string, unknown> | undefined,
    options: ExchangeOptions,
  ): Promise<Record<string, unknown>> {
    const request = params === undefined ? { method } : { method, params };
    const limit = this.#limits?.begin(options.idle);
    const sdkOptions = toSdkOptions(method, options);
    const answer = this.#client.request(request, ANY_RESULT, limit?.applyTo(sdkOptions) ?? sdkOptions);
    const id = this.#link.lastRequestId;
    try {
      return (await answer) as Record<string, unknown>;
    } catch (error) {
      // The SDK tells the server of an idle limit, but not of the limit in all.
      if (isTimeout(error) === "total") this.#cancel(id);
      if (limit?.isExceeded === true) throw timeoutOf("Request timed out", options.idle);
      if (limit !== undefined && isTimeout(error) === "idle") {
        throw timeoutOf("Maximum total timeout exceeded", options.total);
      }
      throw error;
    } finally {
      limit?.end();
    }
  }

  async notify(method: string, params: Record<string, unknown> | undefined): Promise<void> {
    await this.#client.notification(params === undefined ? { method } : { method, params });
  }

  #cancel(requestId: string | number | undefined): void {
    if (requestId === undefined) return;
    this.#client
      .notification({ method: "notifications/cancelled", params: { requestId, reason: CANCEL_REASON } })
      // The request is given up in any case.
      .catch((error: unknown) => void messageOf(error));
  }
}

/** The error of a limit, as the SDK has it. */
function timeoutOf(message: string, timeout: number): AnsweredError {
  return new AnsweredError({ code: REQUEST_TIMEOUT, message, data: { timeout } });
}

/** Servers that count from 0 have a request with this id, which the SDK does not take for one that can be cancelled. */
const FIRST_ID = 0;

function isCancelOfFirstRequest(message: JSONRPCMessage): boolean {
  if (!("method" in message) || message.method !== "notifications/cancelled") return false;
  return isRecord(message.params) && message.params["requestId"] === FIRST_ID;
}

interface ClientEffects {
  /** Aborts when the server cancels its request with the id 0. */
  firstCancelled: AbortSignal;
  limits: IdleLimits | undefined;
}

async function createClient(
  { options, errors, listeners }: SessionInput,
  { firstCancelled, limits }: ClientEffects,
): Promise<Client> {
  const { Client: SdkClient } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { logger = silentLogger } = options;
  const { clientInfo, capabilities } = clientIdentity(options);
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
  client.fallbackRequestHandler = async ({ method, params }, { requestId, signal }) => {
    const request = {
      params: isRecord(params) ? params : {},
      signal: requestId === FIRST_ID ? AbortSignal.any([signal, firstCancelled]) : signal,
    };
    const answer = (): Promise<Record<string, unknown>> => answerServerRequest(options, method, request);
    try {
      return await (limits?.whileAnswering(answer) ?? answer());
    } catch (error) {
      logger.debug(`${errors.label} asked for ${method}, which failed: ${errors.messageOf(error)}`);
      throw toAnswer(error, method);
    }
  };
  return client;
}

/** What a server learns of a handler that failed: what was meant for it, and nothing of what happened to go wrong. */
function toAnswer(error: unknown, method: string): AnsweredError {
  const { code, data }: Record<string, unknown> = isRecord(error) ? error : {};
  return typeof code === "number" && Number.isSafeInteger(code)
    ? new AnsweredError({ code, message: messageOf(error), data })
    : new AnsweredError({ code: INTERNAL_ERROR, message: `The client could not answer ${method}.` });
}
