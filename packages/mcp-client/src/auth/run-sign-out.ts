import type { HttpServerConfig, SseServerConfig } from "@toolgate/contracts";

import type { ServerErrors } from "../connection/server-errors.ts";
import type { SignedOut, SignOutOptions } from "../sign-in.ts";
import { type AuthorizationContext, createAuthorizationContext, readRecord } from "./authorization-context.ts";
import { authenticateClient, authenticateWithCredentials } from "./client-authentication.ts";
import type { CredentialRecord, StoredClient } from "./credential-storage.ts";
import { describeOAuthFailure, signInError } from "./oauth-errors.ts";

/** Revokes a server's tokens and forgets its record, see `signOut`. */
export async function runSignOut(
  config: HttpServerConfig | SseServerConfig,
  options: SignOutOptions,
  errors: ServerErrors,
): Promise<SignedOut> {
  const { authorization } = options;
  const context = createAuthorizationContext(config, options, errors);
  try {
    const record = await readRecord(context);
    const outcome: SignedOut = record === undefined ? { revoked: false } : await revoke(context, record);
    await authorization.storage.delete(context.key);
    return outcome;
  } catch (error) {
    throw signInError(context, "could not be signed out of", error);
  }
}

/** Tells the authorization server that the tokens are no longer used (RFC 7009). */
async function revoke(context: AuthorizationContext, record: CredentialRecord): Promise<SignedOut> {
  const endpoint = record.metadata?.["revocation_endpoint"];
  const { client, tokens } = record;
  if (tokens === undefined || client === undefined) return { revoked: false };
  if (typeof endpoint !== "string") {
    return { revoked: false, reason: "the authorization server has no revocation endpoint" };
  }
  try {
    // The refresh token first: with it goes all that came from it.
    if (tokens.refreshToken !== undefined) {
      await revokeOne(context, { endpoint, client, record, token: tokens.refreshToken, hint: "refresh_token" });
    }
    await revokeOne(context, { endpoint, client, record, token: tokens.accessToken, hint: "access_token" });
    return { revoked: true };
  } catch (error) {
    return { revoked: false, reason: describeOAuthFailure(context, error) };
  }
}

interface Revocation {
  endpoint: string;
  client: StoredClient;
  record: CredentialRecord;
  token: string;
  hint: string;
}

async function revokeOne(context: AuthorizationContext, revocation: Revocation): Promise<void> {
  const { client, endpoint, hint, record, token } = revocation;
  const headers = new Headers({ "content-type": "application/x-www-form-urlencoded", accept: "application/json" });
  const body = new URLSearchParams({ token, token_type_hint: hint });
  const credentials = context.authorization.clientCredentials;
  const authenticate =
    credentials === undefined ? authenticateClient(client) : authenticateWithCredentials(credentials);
  const metadata = record.metadata as Parameters<typeof authenticate>[3];
  await authenticate(headers, body, endpoint, metadata);
  const response = await context.fetch(endpoint, { method: "POST", headers, body, redirect: "error" });
  await response.body?.cancel().catch(() => {});
  if (!response.ok) throw new Error(`the revocation endpoint answered with HTTP status ${response.status}`);
}
