import { isHttpsUrl, registerClient } from "@modelcontextprotocol/sdk/client/auth.js";
import type { OAuthClientMetadata } from "@modelcontextprotocol/sdk/shared/auth.js";

import type { AuthorizationContext } from "./authorization-context.ts";
import type { CredentialRecord, StoredClient } from "./credential-storage.ts";
import { type AuthorizationServer, isSameIssuer } from "./discovery.ts";
import { signInError } from "./oauth-errors.ts";
import { assertBound } from "./token-grants.ts";

const DEFAULT_CLIENT_NAME = "Toolgate";

/**
 * Chooses the client of a sign-in: the one of the entry, else the one that was registered here before, else this client's
 * metadata document where the authorization server takes it, else a new registration (RFC 7591).
 *
 * @throws ToolgateError `SIGN_IN_FAILED` when there is no way to a client
 */
export async function chooseClient(
  context: AuthorizationContext,
  server: AuthorizationServer,
  { record, redirectUrl }: { record: CredentialRecord | undefined; redirectUrl: string },
): Promise<StoredClient> {
  const { authorization, config, errors } = context;
  const { clientId, clientSecret } = config.oauth ?? {};
  if (clientId !== undefined) {
    if (clientSecret !== undefined) assertBound(context, server.issuer, record?.issuer);
    return { clientId, ...(clientSecret === undefined ? {} : { clientSecret }) };
  }
  const known = registeredClient(context, record);
  if (known?.redirectUrl === redirectUrl && record !== undefined && isSameIssuer(record.issuer, server.issuer)) {
    return known;
  }
  const { clientMetadataUrl } = authorization;
  if (server.metadata?.client_id_metadata_document_supported === true && clientMetadataUrl !== undefined) {
    if (isHttpsUrl(clientMetadataUrl)) return { clientId: clientMetadataUrl };
    throw signInError(context, `cannot take ${clientMetadataUrl} for a client: it is no HTTPS address with a path`);
  }
  if (server.metadata !== undefined && server.metadata.registration_endpoint === undefined) {
    throw signInError(
      context,
      `has an authorization server, ${server.issuer}, where clients cannot register; register one there and give it as "oauth".clientId in its entry`,
    );
  }
  try {
    const answer = await registerClient(server.issuer, {
      ...(server.metadata === undefined ? {} : { metadata: server.metadata }),
      clientMetadata: describeClient(context, server, redirectUrl),
      fetchFn: context.fetch,
    });
    errors.addSecrets([answer.client_secret]);
    const { client_secret: secret, client_secret_expires_at: ends, token_endpoint_auth_method: method } = answer;
    return {
      clientId: answer.client_id,
      ...(secret === undefined ? {} : { clientSecret: secret }),
      // 0 stands for never.
      ...(ends === undefined || ends === 0 ? {} : { clientSecretExpiresAt: ends * 1000 }),
      ...(method === undefined ? {} : { tokenEndpointAuthMethod: method }),
      redirectUrl,
    };
  } catch (error) {
    throw signInError(context, `has an authorization server, ${server.issuer}, that registers no client`, error);
  }
}

/** The client that was registered here before, if it can still be used. */
export function registeredClient(
  context: AuthorizationContext,
  record: CredentialRecord | undefined,
): StoredClient | undefined {
  const client = record?.client;
  if (client?.redirectUrl === undefined) return undefined;
  const ends = client.clientSecretExpiresAt;
  return ends !== undefined && ends <= context.now() ? undefined : client;
}

function describeClient(
  { authorization }: AuthorizationContext,
  { metadata }: AuthorizationServer,
  redirectUrl: string,
): OAuthClientMetadata {
  const methods = metadata?.token_endpoint_auth_methods_supported ?? ["none"];
  // A program on a person's machine keeps no secret; one is taken where there is no other way.
  const method = methods.includes("none")
    ? "none"
    : (methods.find((one) => one.startsWith("client_secret_")) ?? "none");
  const description: OAuthClientMetadata & { application_type: string } = {
    client_name: authorization.clientName ?? DEFAULT_CLIENT_NAME,
    redirect_uris: [redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: method,
    // Lets an authorization server accept a loopback redirect (RFC 8252).
    application_type: "native",
  };
  return description;
}
