import type { ProtocolEra, ToolProgress } from "@toolgate/contracts";

import type { ServerCapabilities, ServerInfo } from "./connection.ts";

/** All that a server learns of why a request was cancelled: a caller's own reason is none of its business. */
export const CANCEL_REASON = "The client cancelled the request.";

/** Methods that answer at once, so that progress is not asked for. */
const PLAIN_METHODS = new Set(["ping", "logging/setLevel"]);

/** What a session needs to know of one request; the limits are milliseconds that a timer takes. */
export interface ExchangeOptions {
  idle: number;
  total: number;
  /** Aborts with {@link CANCEL_REASON}. */
  signal?: AbortSignal;
  onProgress?: ((progress: ToolProgress) => void) | undefined;
}

/**
 * One server in one era of the protocol, over one of the SDK's clients.
 *
 * Contract: `request` gives results as the server sent them and rejects with what the SDK or the link rejects with; a
 * server is told of a request that is given up. A session does not end its link.
 */
export interface ProtocolSession {
  readonly era: ProtocolEra;
  readonly protocolVersion: string;
  readonly serverInfo: ServerInfo;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
  request(
    method: string,
    params: Record<string, unknown> | undefined,
    options: ExchangeOptions,
  ): Promise<Record<string, unknown>>;
  notify(method: string, params: Record<string, unknown> | undefined): Promise<void>;
}

/** What both lines of the SDK understand of {@link ExchangeOptions}. */
export interface SdkRequestOptions {
  timeout: number;
  maxTotalTimeout: number;
  resetTimeoutOnProgress: true;
  signal?: AbortSignal;
  onprogress?: (progress: object) => void;
}

/** Puts the options of a request in the SDK's words. */
export function toSdkOptions(method: string, options: ExchangeOptions): SdkRequestOptions {
  const { idle, total, signal, onProgress } = options;
  // Without a progress handler the SDK asks for no progress, and its idle limit would be a limit in all.
  const asksForProgress = onProgress !== undefined || !(method.endsWith("/list") || PLAIN_METHODS.has(method));
  return {
    timeout: idle,
    maxTotalTimeout: total,
    resetTimeoutOnProgress: true,
    ...(asksForProgress ? { onprogress: (onProgress ?? ignore) as (progress: object) => void } : {}),
    ...(signal === undefined ? {} : { signal }),
  };
}

function ignore(): void {}
