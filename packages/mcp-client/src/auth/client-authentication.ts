import { createPrivateKeyJwtAuth } from "@modelcontextprotocol/sdk/client/auth-extensions.js";
import { type OAuthClientProvider, selectClientAuthMethod } from "@modelcontextprotocol/sdk/client/auth.js";
import type { OAuthClientInformationMixed } from "@modelcontextprotocol/sdk/shared/auth.js";

import type { ClientCredentials } from "./authorization-options.ts";
import type { StoredClient } from "./credential-storage.ts";

/** Adds a client's identification to a token request. */
export type AddClientAuthentication = NonNullable<OAuthClientProvider["addClientAuthentication"]>;

/** The client in the SDK's words. */
export function toClientInformation(client: StoredClient): OAuthClientInformationMixed {
  return {
    client_id: client.clientId,
    ...(client.clientSecret === undefined ? {} : { client_secret: client.clientSecret }),
    ...(client.tokenEndpointAuthMethod === undefined
      ? {}
      : { token_endpoint_auth_method: client.tokenEndpointAuthMethod }),
  };
}

/** Identifies a client by what it has: a secret or its id alone, in the way that the authorization server wants. */
export function authenticateClient(client: StoredClient): AddClientAuthentication {
  return (headers, parameters, ...rest) => {
    const [, metadata] = rest;
    const method = selectClientAuthMethod(
      toClientInformation(client),
      metadata?.token_endpoint_auth_methods_supported ?? [],
    );
    const { clientId, clientSecret } = client;
    if (method === "client_secret_basic" && clientSecret !== undefined) {
      // The SDK leaves out the form encoding (RFC 6749, 2.3.1), without which a secret with "%" or ":" is another one.
      const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
      headers.set("authorization", `Basic ${Buffer.from(pair).toString("base64")}`);
      return;
    }
    parameters.set("client_id", clientId);
    if (method === "client_secret_post" && clientSecret !== undefined) parameters.set("client_secret", clientSecret);
  };
}

/** Identifies a client by credentials that the host was given. */
export function authenticateWithCredentials(credentials: ClientCredentials): AddClientAuthentication {
  if (credentials.method === "private_key_jwt") {
    const { algorithm: alg, clientId, privateKey } = credentials;
    return createPrivateKeyJwtAuth({ issuer: clientId, subject: clientId, privateKey, alg });
  }
  const { clientId, clientSecret, method } = credentials;
  return authenticateClient({ clientId, clientSecret, tokenEndpointAuthMethod: method });
}
