import type { Client } from "@modelcontextprotocol/client";
import { isRecord, messageOf } from "@toolgate/contracts";

import type { ConnectOptions } from "../connection/connect-options.ts";
import type { ServerCapabilities, ServerInfo } from "../connection/connection.ts";
import { findRpcError } from "../connection/era-evidence.ts";
import {
  CANCEL_REASON,
  type ExchangeOptions,
  type ProtocolSession,
  type SdkRequestOptions,
  toSdkOptions,
} from "../connection/protocol-session.ts";
import { MODERN_REVISION } from "../connection/protocol-versions.ts";
import { AnsweredError, isJsonRpcError, isSdkError, isTimeout } from "../connection/request-errors.ts";
import type { ServerErrors } from "../connection/server-errors.ts";
import type { ServerLink } from "../connection/server-link.ts";
import { sendWithAnswers } from "./input-required.ts";
import { readRawResult } from "./raw-results.ts";
import type { Subscriptions } from "./subscriptions.ts";

const LOG_LEVEL = "io.modelcontextprotocol/logLevel";
const METHOD_NOT_FOUND = -32_601;
const NOT_IN_ERA = "METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION";

/** Takes every result as it is; see `raw-results.ts` for what the SDK checks before. */
const ANY_RESULT = {
  "~standard": { version: 1, vendor: "toolgate", validate: (value: unknown) => ({ value }) },
} as const;

/** What a session is made from. */
export interface ModernSessionInput {
  client: Client;
  options: ConnectOptions;
  errors: ServerErrors;
  link: ServerLink;
  subscriptions: Subscriptions;
}

/** A session over the client of SDK 2.x. */
export class ModernSession implements ProtocolSession {
  readonly era = "modern";
  readonly protocolVersion: string = MODERN_REVISION;
  readonly serverInfo: ServerInfo;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
  readonly #client: Client;
  readonly #options: ConnectOptions;
  readonly #errors: ServerErrors;
  readonly #link: ServerLink;
  readonly #subscriptions: Subscriptions;
  #logLevel: unknown;

  constructor({ client, options, errors, link, subscriptions }: ModernSessionInput) {
    this.#client = client;
    this.#options = options;
    this.#errors = errors;
    this.#link = link;
    this.#subscriptions = subscriptions;
    this.serverInfo = (client.getServerVersion() ?? { name: "", version: "" }) as ServerInfo;
    this.capabilities = (client.getServerCapabilities() ?? {}) as ServerCapabilities;
    this.instructions = client.getInstructions();
  }

  async request(
    method: string,
    params: Record<string, unknown> | undefined,
    options: ExchangeOptions,
  ): Promise<Record<string, unknown>> {
    switch (method) {
      // The revision has no ping; this is what every server of it answers.
      case "ping":
        await this.#send("server/discover", undefined, toSdkOptions(method, options));
        return {};
      // The revision has the level in each request.
      case "logging/setLevel":
        this.#logLevel = params?.["level"];
        return {};
      case "resources/subscribe":
      case "resources/unsubscribe":
        await this.#subscriptions.watchResource(String(params?.["uri"]), method === "resources/subscribe", options);
        return {};
      default:
        return this.#requestWithAnswers(method, params, options);
    }
  }

  async notify(method: string, params: Record<string, unknown> | undefined): Promise<void> {
    try {
      await this.#client.notification(params === undefined ? { method } : { method, params });
    } catch (error) {
      // The era has no use for it: a server asks for roots when it wants them, for example.
      if (!isSdkError(error) || error.code !== NOT_IN_ERA) throw error;
    }
  }

  #requestWithAnswers(
    method: string,
    params: Record<string, unknown> | undefined,
    options: ExchangeOptions,
  ): Promise<Record<string, unknown>> {
    const started = performance.now();
    const sdkOptions = toSdkOptions(method, options);
    return sendWithAnswers(params, {
      options: this.#options,
      errors: this.#errors,
      method,
      signal: options.signal,
      send: (next) => {
        const spent = Math.trunc(performance.now() - started);
        return this.#send(method, next, { ...sdkOptions, maxTotalTimeout: Math.max(1, options.total - spent) });
      },
    });
  }

  async #send(
    method: string,
    params: Record<string, unknown> | undefined,
    sdkOptions: SdkRequestOptions,
  ): Promise<Record<string, unknown>> {
    const request = { method, ...this.#withLogLevel(params) };
    let id: string | number | undefined;
    try {
      const answer = this.#client.request(request, ANY_RESULT, { ...sdkOptions, allowInputRequired: true });
      id = this.#link.lastRequestId;
      return readRawResult(await answer);
    } catch (error) {
      if (isSdkError(error) && error.code === NOT_IN_ERA) {
        const message = `${method} is not part of revision ${MODERN_REVISION}`;
        throw new AnsweredError({ code: METHOD_NOT_FOUND, message });
      }
      // The era answers some errors with an HTTP status that is one as well.
      const answered = isJsonRpcError(error) ? undefined : findRpcError(error);
      if (answered !== undefined) throw new AnsweredError(answered);
      // The SDK tells the server of an idle limit, but not of the limit in all.
      if (isTimeout(error) === "total") this.#cancel(id);
      throw error;
    }
  }

  #withLogLevel(params: Record<string, unknown> | undefined): { params?: Record<string, unknown> } {
    if (this.#logLevel === undefined) return params === undefined ? {} : { params };
    const meta = isRecord(params?.["_meta"]) ? params["_meta"] : {};
    return { params: { ...params, _meta: { [LOG_LEVEL]: this.#logLevel, ...meta } } };
  }

  #cancel(requestId: string | number | undefined): void {
    if (requestId === undefined) return;
    this.#client
      .notification({ method: "notifications/cancelled", params: { requestId, reason: CANCEL_REASON } })
      // The request is given up in any case.
      .catch((error: unknown) => void messageOf(error));
  }
}
