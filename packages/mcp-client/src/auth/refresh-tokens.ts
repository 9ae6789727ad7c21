import { refreshAuthorization } from "@modelcontextprotocol/sdk/client/auth.js";
import type { AuthorizationServerMetadata } from "@modelcontextprotocol/sdk/shared/auth.js";

import { type AuthorizationContext, ownRecord, readRecord } from "./authorization-context.ts";
import { authenticateClient, toClientInformation } from "./client-authentication.ts";
import type { CredentialRecord, StoredClient, StoredTokens } from "./credential-storage.ts";
import { oauthErrorCode, signInError } from "./oauth-errors.ts";
import { isExpiring, toStoredTokens } from "./token-answer.ts";

/** Answers after which a refresh token is of no use any more. */
const SPENT = new Set(["invalid_grant", "invalid_client", "unauthorized_client"]);

/**
 * Renews the tokens of a server. One process does it at a time; what another one has written meanwhile is taken as it is.
 *
 * @param used - The access token that is no longer good.
 * @returns the record as it is stored now; without tokens when only a new sign-in can help
 * @throws ToolgateError `SIGN_IN_FAILED` when the authorization server cannot be reached or is in trouble: tokens stay
 */
export async function refreshTokens(
  context: AuthorizationContext,
  used: string,
): Promise<CredentialRecord | undefined> {
  try {
    const stored = await context.authorization.storage.update(context.key, async (current) => {
      const record = ownRecord(current, context);
      const tokens = record?.tokens;
      if (record?.client === undefined || tokens?.refreshToken === undefined) return undefined;
      // Somebody else was first.
      if (tokens.accessToken !== used && !isExpiring(tokens, context.now())) return undefined;
      return renew(context, { ...record, client: record.client }, { ...tokens, refreshToken: tokens.refreshToken });
    });
    return ownRecord(stored, context);
  } catch (error) {
    throw signInError(context, "needs a sign-in, and the stored one could not be renewed", error);
  }
}

async function renew(
  context: AuthorizationContext,
  record: CredentialRecord & { client: StoredClient },
  tokens: StoredTokens & { refreshToken: string },
): Promise<CredentialRecord | undefined> {
  try {
    const answer = await refreshAuthorization(record.issuer, {
      ...(record.metadata === undefined ? {} : { metadata: record.metadata as unknown as AuthorizationServerMetadata }),
      ...(record.resource === undefined ? {} : { resource: record.resource }),
      clientInformation: toClientInformation(record.client),
      addClientAuthentication: authenticateClient(record.client),
      refreshToken: tokens.refreshToken,
      fetchFn: context.fetch,
    });
    const renewed = toStoredTokens(context, answer);
    // No scope in the answer means the same as before (RFC 6749, 5.1).
    if (renewed.scope === undefined && tokens.scope !== undefined) renewed.scope = tokens.scope;
    return { ...record, tokens: renewed };
  } catch (error) {
    const code = oauthErrorCode(error);
    if (code === undefined || !SPENT.has(code)) throw error;
    return dropSpent(context, record, { refreshToken: tokens.refreshToken, forgetClient: code !== "invalid_grant" });
  }
}

/** Removes what was refused, unless it is not what is stored any more: a store without a lock may have a winner. */
async function dropSpent(
  context: AuthorizationContext,
  record: CredentialRecord,
  { forgetClient, refreshToken }: { refreshToken: string; forgetClient: boolean },
): Promise<CredentialRecord | undefined> {
  const now = await readRecord(context);
  if (now?.tokens?.refreshToken !== refreshToken) return undefined;
  const { client, tokens: _, ...rest } = record;
  return forgetClient || client === undefined ? rest : { ...rest, client };
}
