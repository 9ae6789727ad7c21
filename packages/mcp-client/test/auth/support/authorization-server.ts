import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import type { default as OidcProvider, OidcToken } from "oidc-provider";
import { onTestFinished, vi } from "vitest";

/** What an authorization server of a test can do beside being one. */
export interface AuthorizationServer {
  issuer: string;
  provider: OidcProvider;
  /** Grant types of the token requests that succeeded, in order. */
  granted: string[];
  /** Paths that were asked for. */
  paths: string[];
  /** What the person does at the consent page. @default agrees */
  refuseConsent: boolean;
  /** Finds an access token of any kind that is still good. */
  findToken(token: string): Promise<OidcToken | undefined>;
}

/** Resource scopes that exist. */
const RESOURCE_SCOPES = "tools:read tools:write";

/** A client with a secret, registered beforehand, that may act for itself. */
export const SECRET_CLIENT = { clientId: "robot", clientSecret: "s3cret:with%and+signs" } as const;

/** Starts an authorization server with registration, PKCE, rotation, revocation and resource indicators. */
export async function startAuthorizationServer(clients: readonly object[] = []): Promise<AuthorizationServer> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = await createProvider(issuer, clients);
  const state: AuthorizationServer = {
    issuer,
    provider,
    granted: [],
    paths: [],
    refuseConsent: false,
    findToken: async (token) => {
      const found = (await provider.AccessToken.find(token)) ?? (await provider.ClientCredentials.find(token));
      return found?.isValid === true ? found : undefined;
    },
  };
  provider.on("grant.success", ({ oidc }) => state.granted.push(String(oidc.params?.["grant_type"])));
  const answer = provider.callback();
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    state.paths.push(request.url ?? "");
    if (request.url?.startsWith("/interaction/") === true) void interact(state, request, response);
    else answer(request, response);
  });
  return state;
}

async function createProvider(issuer: string, clients: readonly object[]): Promise<OidcProvider> {
  // It says that it is not meant for production like this, and that it does not know this Node.js.
  const quiet = vi.spyOn(console, "warn").mockImplementation(() => {});
  onTestFinished(() => quiet.mockRestore());
  const { default: Provider } = await import("oidc-provider");
  return new Provider(issuer, {
    clients: [
      {
        client_id: SECRET_CLIENT.clientId,
        client_secret: SECRET_CLIENT.clientSecret,
        grant_types: ["client_credentials", "authorization_code", "refresh_token"],
        redirect_uris: ["http://127.0.0.1/callback"],
        application_type: "native",
        token_endpoint_auth_method: "client_secret_basic",
      },
      ...clients,
    ],
    cookies: { keys: ["test"] },
    clientBasedCORS: () => false,
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    issueRefreshToken: (_: unknown, client: { grantTypeAllowed(type: string): boolean }) =>
      client.grantTypeAllowed("refresh_token"),
    rotateRefreshToken: true,
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      revocation: { enabled: true, allowedPolicy: () => true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({ scope: RESOURCE_SCOPES, accessTokenFormat: "opaque" }),
      },
    },
    ttl: {
      RefreshToken: 86_400,
      AccessToken: 3600,
      ClientCredentials: 3600,
      Grant: 86_400,
      Interaction: 600,
      Session: 86_400,
    },
  });
}

/** Signs the person in and gives consent, as a page with a button would. */
async function interact(
  { provider, refuseConsent }: AuthorizationServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { grantId, params, prompt, session } = await provider.interactionDetails(request, response);
  const finish = (result: object) =>
    provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
  if (prompt.name === "login") return finish({ login: { accountId: "ada" } });
  if (refuseConsent) return finish({ error: "access_denied", error_description: "Ada said no" });
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant = known ?? new provider.Grant({ accountId: session?.accountId ?? "ada", clientId: params.client_id });
  const { missingOIDCScope, missingResourceScopes } = prompt.details;
  if (missingOIDCScope !== undefined) grant.addOIDCScope(missingOIDCScope.join(" "));
  for (const [resource, scopes] of Object.entries(missingResourceScopes ?? {})) {
    grant.addResourceScope(resource, scopes.join(" "));
  }
  return finish({ consent: { grantId: await grant.save() } });
}
