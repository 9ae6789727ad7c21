import {
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
} from "@modelcontextprotocol/sdk/client/auth.js";
import { checkResourceAllowed, resourceUrlFromServerUrl } from "@modelcontextprotocol/sdk/shared/auth-utils.js";
import type {
  AuthorizationServerMetadata,
  OAuthProtectedResourceMetadata,
} from "@modelcontextprotocol/sdk/shared/auth.js";

import type { BearerChallenge } from "../remote/challenge.ts";
import { isLoopback } from "../remote/is-loopback.ts";
import type { AuthorizationContext } from "./authorization-context.ts";
import { signInError } from "./oauth-errors.ts";

/** The authorization server of an MCP server. */
export interface AuthorizationServer {
  /** Its identifier: the URL that its metadata was asked for at. */
  issuer: string;
  /** Absent for servers of revision 2025-03-26 without metadata, whose endpoints have fixed paths. */
  metadata?: AuthorizationServerMetadata;
  /** The resource indicator to ask tokens for, as the server writes it. */
  resource?: string;
  scopesSupported?: readonly string[];
}

/**
 * Finds out where an MCP server's tokens come from (RFC 9728, RFC 8414, OpenID Connect Discovery; without metadata as in
 * revision 2025-03-26).
 *
 * @throws ToolgateError `SIGN_IN_FAILED` when metadata is for another server, or names an address without TLS
 */
export async function discoverAuthorizationServer(
  context: AuthorizationContext,
  challenge: BearerChallenge | undefined,
  preferredIssuer: string | undefined,
): Promise<AuthorizationServer> {
  const resourceMetadata = await fetchResourceMetadata(context, challenge?.resourceMetadataUrl);
  const named = resourceMetadata?.authorization_servers ?? [];
  const preferred = named.find((one) => preferredIssuer !== undefined && isSameIssuer(one, preferredIssuer));
  const issuer = preferred ?? named[0] ?? new URL("/", context.config.url).href;
  assertSecure(context, issuer);
  let metadata: AuthorizationServerMetadata | undefined;
  try {
    metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn: context.fetch });
  } catch (error) {
    throw signInError(context, `names the authorization server ${issuer}, whose metadata cannot be read`, error);
  }
  if (metadata !== undefined) assertIssuer(context, { issuer, metadata }, named.length > 0);
  return {
    issuer,
    ...(metadata === undefined ? {} : { metadata }),
    ...(resourceMetadata === undefined ? {} : { resource: resourceMetadata.resource }),
    ...(resourceMetadata?.scopes_supported === undefined ? {} : { scopesSupported: resourceMetadata.scopes_supported }),
  };
}

/** Compares identifiers of authorization servers; one slash at the end makes no difference. */
export function isSameIssuer(one: string, other: string): boolean {
  return normalizeIssuer(one) === normalizeIssuer(other);
}

function normalizeIssuer(issuer: string): string {
  return (URL.canParse(issuer) ? new URL(issuer).href : issuer).replace(/\/$/, "");
}

async function fetchResourceMetadata(
  context: AuthorizationContext,
  address: string | undefined,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  const { config, fetch } = context;
  let metadata: OAuthProtectedResourceMetadata;
  if (address !== undefined) assertSecure(context, address);
  let isAbsent = false;
  try {
    const settings = address === undefined ? {} : { resourceMetadataUrl: address };
    metadata = await discoverOAuthProtectedResourceMetadata(config.url, settings, async (input, init) => {
      const response = await fetch(input, init);
      isAbsent = response.status < 500 && !(response.ok && isJson(response));
      return response;
    });
  } catch (error) {
    // A server of revision 2025-03-26 has none, and may have a page for every address; one that names it has one.
    if (address === undefined && isAbsent) return undefined;
    throw signInError(context, "gives no protected-resource metadata that can be read", error);
  }
  const requestedResource = resourceUrlFromServerUrl(config.url);
  if (!checkResourceAllowed({ requestedResource, configuredResource: metadata.resource })) {
    throw signInError(context, `says that it is another resource, ${metadata.resource}; nothing is sent there`);
  }
  return metadata;
}

function isJson({ headers }: Response): boolean {
  return headers.get("content-type")?.includes("json") === true;
}

/** Metadata that names another issuer could be anybody's (RFC 8414, 3.3). */
function assertIssuer(
  context: AuthorizationContext,
  { issuer, metadata }: { issuer: string; metadata: AuthorizationServerMetadata },
  isNamed: boolean,
): void {
  // Of revision 2025-03-26 no more is known than that the server's own origin is the authorization server.
  const fits = isNamed
    ? isSameIssuer(metadata.issuer, issuer)
    : URL.canParse(metadata.issuer) && new URL(metadata.issuer).origin === new URL(issuer).origin;
  if (!fits) {
    throw signInError(
      context,
      `names the authorization server ${issuer}, whose metadata is that of another one, ${metadata.issuer}`,
    );
  }
  assertSecure(context, metadata.authorization_endpoint);
  assertSecure(context, metadata.token_endpoint);
  if (metadata.registration_endpoint !== undefined) assertSecure(context, metadata.registration_endpoint);
}

/** Credentials go over TLS, except to this machine, or where the server itself is spoken to without. */
function assertSecure(context: AuthorizationContext, address: string): void {
  const { hostname, protocol } = new URL(address);
  if (protocol === "https:") return;
  if (protocol === "http:" && (isLoopback(hostname) || new URL(context.config.url).protocol === "http:")) return;
  throw signInError(context, `wants a sign-in at ${address}, which is not an HTTPS address`);
}
