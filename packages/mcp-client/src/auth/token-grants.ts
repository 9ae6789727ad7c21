import { fetchToken, type OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";

import type { BearerChallenge } from "../remote/challenge.ts";
import { type AuthorizationContext, ownRecord } from "./authorization-context.ts";
import type { ClientCredentials, CrossAppAccess } from "./authorization-options.ts";
import {
  type AddClientAuthentication,
  authenticateClient,
  authenticateWithCredentials,
} from "./client-authentication.ts";
import type { CredentialRecord } from "./credential-storage.ts";
import { type AuthorizationServer, discoverAuthorizationServer, isSameIssuer } from "./discovery.ts";
import { signInError } from "./oauth-errors.ts";
import { selectScopes } from "./scopes.ts";
import { toStoredTokens } from "./token-answer.ts";

const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token";
const IDENTITY_ASSERTION = "urn:ietf:params:oauth:token-type:id-jag";

/** What a token without a person is asked for with. */
export interface GrantRequest {
  challenge: BearerChallenge | undefined;
  /** The access token that is no longer good. */
  used: string | undefined;
  /** Scopes that were asked for before, when more are needed now. */
  before: string | undefined;
}

/** Whether the host has given a way to sign in that needs no person. */
export function hasTokenGrant({ authorization }: AuthorizationContext): boolean {
  return authorization.clientCredentials !== undefined || authorization.crossAppAccess !== undefined;
}

/**
 * Signs in without a person: with client credentials, or with what an identity provider vouches for.
 *
 * @throws ToolgateError `SIGN_IN_FAILED`
 */
export async function obtainGrantedTokens(
  context: AuthorizationContext,
  request: GrantRequest,
): Promise<CredentialRecord | undefined> {
  try {
    const stored = await context.authorization.storage.update(context.key, async (current) => {
      const record = ownRecord(current, context);
      // Somebody else was first.
      if (record?.tokens !== undefined && record.tokens.accessToken !== request.used) return undefined;
      return requestTokens(context, request, record);
    });
    return ownRecord(stored, context);
  } catch (error) {
    throw signInError(context, "needs a sign-in, and no token could be had with the client's credentials", error);
  }
}

async function requestTokens(
  context: AuthorizationContext,
  { challenge, before }: GrantRequest,
  record: CredentialRecord | undefined,
): Promise<CredentialRecord> {
  const { authorization, config, fetch } = context;
  const credentials = authorization.clientCredentials;
  const boundTo = credentials?.issuer ?? record?.issuer;
  const server = await discoverAuthorizationServer(context, challenge, boundTo);
  assertBound(context, server.issuer, boundTo);
  const scope = selectScopes({
    configured: credentials?.scope ?? config.oauth?.scope,
    challenged: challenge?.scopes,
    before,
    supported: server.scopesSupported,
  });
  const client = clientOf(context, credentials);
  const parameters = new URLSearchParams(
    authorization.crossAppAccess === undefined
      ? { grant_type: "client_credentials" }
      : {
          grant_type: JWT_BEARER,
          assertion: await requestAssertion(context, authorization.crossAppAccess, { server, scope }),
        },
  );
  if (scope !== undefined) parameters.set("scope", scope);
  const answer = await fetchToken(createProvider(client, parameters), server.issuer, {
    ...(server.metadata === undefined ? {} : { metadata: server.metadata }),
    ...(server.resource === undefined ? {} : { resource: server.resource }),
    fetchFn: fetch,
  });
  const { refresh_token: _, ...withoutRefresh } = answer;
  return {
    serverUrl: context.key,
    issuer: server.issuer,
    ...(server.metadata === undefined ? {} : { metadata: { ...server.metadata } }),
    ...(server.resource === undefined ? {} : { resource: server.resource }),
    ...(scope === undefined ? {} : { scope }),
    client: { clientId: client.clientId },
    tokens: toStoredTokens(context, withoutRefresh),
  };
}

/** Exchanges the person's ID token at the identity provider for an assertion to this authorization server. */
async function requestAssertion(
  context: AuthorizationContext,
  access: CrossAppAccess,
  { scope, server }: { server: AuthorizationServer; scope: string | undefined },
): Promise<string> {
  const { identityProvider } = access;
  const idToken = typeof access.idToken === "string" ? access.idToken : await access.idToken();
  context.errors.addSecrets([idToken, identityProvider.clientSecret]);
  const { tokenEndpoint, ...client } = identityProvider;
  const parameters = new URLSearchParams({
    grant_type: TOKEN_EXCHANGE,
    requested_token_type: IDENTITY_ASSERTION,
    subject_token: idToken,
    subject_token_type: ID_TOKEN,
    audience: server.metadata?.issuer ?? server.issuer,
    resource: server.resource ?? context.config.url,
  });
  if (scope !== undefined) parameters.set("scope", scope);
  const provider = createProvider({ clientId: client.clientId, authenticate: authenticateClient(client) }, parameters);
  const answer = await fetchToken(provider, tokenEndpoint, {
    metadata: {
      issuer: tokenEndpoint,
      authorization_endpoint: tokenEndpoint,
      token_endpoint: tokenEndpoint,
      response_types_supported: [],
    },
    fetchFn: context.fetch,
  });
  context.errors.addSecrets([answer.access_token]);
  return answer.access_token;
}

interface GrantClient {
  clientId: string;
  authenticate: AddClientAuthentication;
}

function clientOf(context: AuthorizationContext, credentials: ClientCredentials | undefined): GrantClient {
  if (credentials !== undefined) {
    context.errors.addSecrets(["clientSecret" in credentials ? credentials.clientSecret : undefined]);
    return { clientId: credentials.clientId, authenticate: authenticateWithCredentials(credentials) };
  }
  const { clientId, clientSecret } = context.config.oauth ?? {};
  if (clientId === undefined) throw signInError(context, 'needs a client: give "oauth".clientId in its entry');
  const client = { clientId, ...(clientSecret === undefined ? {} : { clientSecret }) };
  return { clientId, authenticate: authenticateClient(client) };
}

/** A provider for one request of tokens; the SDK asks it for nothing else. */
function createProvider({ clientId, authenticate }: GrantClient, parameters: URLSearchParams): OAuthClientProvider {
  return {
    redirectUrl: undefined,
    clientMetadata: { redirect_uris: [] },
    clientInformation: () => ({ client_id: clientId }),
    prepareTokenRequest: () => parameters,
    addClientAuthentication: authenticate,
    tokens: () => undefined,
    saveTokens: () => {},
    redirectToAuthorization: () => {},
    saveCodeVerifier: () => {},
    codeVerifier: () => "",
  };
}

/** A server that is no longer trusted could name an authorization server of its own, to get the client's secret. */
export function assertBound(context: AuthorizationContext, issuer: string, boundTo: string | undefined): void {
  if (boundTo === undefined || isSameIssuer(issuer, boundTo)) return;
  throw signInError(
    context,
    `names the authorization server ${issuer}, but its credentials are for ${boundTo}; sign out first if it has moved`,
  );
}
