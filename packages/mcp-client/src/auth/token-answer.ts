import type { OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";

import { type AuthorizationContext } from "./authorization-context.ts";
import type { StoredTokens } from "./credential-storage.ts";
import { signInError } from "./oauth-errors.ts";

/** Turns an authorization server's answer into what is stored, with an absolute end. */
export function toStoredTokens(context: AuthorizationContext, answer: OAuthTokens): StoredTokens {
  context.errors.addSecrets([answer.access_token, answer.refresh_token, answer.id_token]);
  if (answer.token_type.toLowerCase() !== "bearer") {
    throw signInError(context, `got a token of the type "${answer.token_type}", which is not spoken`);
  }
  const obtainedAt = context.now();
  return {
    accessToken: answer.access_token,
    ...(answer.refresh_token === undefined ? {} : { refreshToken: answer.refresh_token }),
    obtainedAt,
    ...(answer.expires_in === undefined ? {} : { expiresAt: obtainedAt + answer.expires_in * 1000 }),
    ...(answer.scope === undefined ? {} : { scope: answer.scope }),
  };
}

/** Milliseconds before its end at which a token is renewed. */
const RENEW_BEFORE = 60_000;

/** Whether a token has to be renewed by now: a minute before its end, or at half of a life that is shorter than two. */
export function isExpiring(tokens: StoredTokens, now: number): boolean {
  const { expiresAt, obtainedAt } = tokens;
  if (expiresAt === undefined) return false;
  return now >= expiresAt - Math.min(RENEW_BEFORE, (expiresAt - obtainedAt) / 2);
}
