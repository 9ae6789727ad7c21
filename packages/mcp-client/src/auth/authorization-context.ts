import type { HttpServerConfig, SseServerConfig } from "@toolgate/contracts";

import { type Clock, systemClock } from "../connection/clock.ts";
import type { ConnectOptions } from "../connection/connect-options.ts";
import type { ServerErrors } from "../connection/server-errors.ts";
import type { AuthorizationOptions } from "./authorization-options.ts";
import { credentialKey, toCredentialRecord } from "./credential-record.ts";
import type { CredentialRecord } from "./credential-storage.ts";
import { timeLimit } from "./time-limit.ts";

/** Milliseconds for one request to an authorization server. */
const REQUEST_LIMIT = 30_000;

/** What every step of a server's authorization needs. */
export interface AuthorizationContext {
  config: HttpServerConfig | SseServerConfig;
  /** Canonical URL of the server, and the key of its record. */
  key: string;
  /** Read anew for each step: what it allows may change while a connection lives. */
  authorization: AuthorizationOptions;
  errors: ServerErrors;
  /** For requests to authorization servers: bounded in time. */
  fetch: typeof globalThis.fetch;
  clock: Clock;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Puts together what the steps of a server's authorization need. */
export function createAuthorizationContext(
  config: HttpServerConfig | SseServerConfig,
  options: Pick<ConnectOptions, "fetch" | "clock"> & { authorization: AuthorizationOptions },
  errors: ServerErrors,
): AuthorizationContext {
  const { authorization } = options;
  const fetch = options.fetch ?? globalThis.fetch;
  return {
    config,
    key: credentialKey(config.url),
    authorization,
    errors,
    fetch: (input, init) => {
      const limit = timeLimit(REQUEST_LIMIT);
      const signal = init?.signal == null ? limit : AbortSignal.any([init.signal, limit]);
      return fetch(input, { ...init, signal });
    },
    clock: options.clock ?? systemClock,
    now: () => authorization.now?.() ?? Date.now(),
  };
}

/** The record of this server; `undefined` when there is none, or it is another client's. */
export async function readRecord(context: AuthorizationContext): Promise<CredentialRecord | undefined> {
  return ownRecord(await context.authorization.storage.read(context.key), context);
}

/** A record that belongs to this server and to the client that its entry names. What it holds is secret from now on. */
export function ownRecord(
  stored: CredentialRecord | undefined,
  { authorization, config, errors, key }: AuthorizationContext,
): CredentialRecord | undefined {
  const record = toCredentialRecord(stored, key);
  const clientId = authorization.clientCredentials?.clientId ?? config.oauth?.clientId;
  if (record === undefined || (clientId !== undefined && record.client?.clientId !== clientId)) return undefined;
  const { client, tokens } = record;
  errors.addSecrets([client?.clientSecret, tokens?.accessToken, tokens?.refreshToken]);
  // A secret that was changed in the entry is the one to use.
  const clientSecret = config.oauth?.clientSecret;
  return client === undefined || clientSecret === undefined
    ? record
    : { ...record, client: { ...client, clientSecret } };
}
