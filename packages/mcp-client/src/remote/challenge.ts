/** What a `WWW-Authenticate` header asks for (RFC 6750, RFC 9728). */
export interface BearerChallenge {
  /** `invalid_token`, `insufficient_scope` … */
  error?: string;
  /** Names of the scopes that the request needs. */
  scopes?: readonly string[];
  /** Where the server's protected-resource metadata is. */
  resourceMetadataUrl?: string;
}

// A scheme stands alone before its parameters; a parameter has "=" after its name. One of both, or a comma.
const PART = /\s*(?:([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))|([\w-]+)(?=\s|,|$)|,|\S)/gy;

/**
 * Reads the Bearer challenge out of a header that may hold several.
 *
 * The SDK has a reader too. It knows no challenge that stands behind another one, and it comes with all of its schemas.
 *
 * @returns `undefined` when there is none
 */
export function parseBearerChallenge(header: string | null): BearerChallenge | undefined {
  if (header === null) return undefined;
  let scheme = "";
  let found = false;
  const parameters = new Map<string, string>();
  for (const [, name, quoted, plain, word] of header.matchAll(PART)) {
    if (word !== undefined) scheme = word.toLowerCase();
    if (scheme !== "bearer") continue;
    found = true;
    if (name === undefined || parameters.has(name.toLowerCase())) continue;
    parameters.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, "$1") ?? plain ?? "");
  }
  if (!found) return undefined;
  const error = parameters.get("error");
  const scopes = parameters.get("scope")?.split(/\s+/).filter(Boolean);
  const resourceMetadataUrl = parameters.get("resource_metadata");
  return {
    ...(error === undefined ? {} : { error }),
    ...(scopes === undefined || scopes.length === 0 ? {} : { scopes }),
    ...(resourceMetadataUrl !== undefined && URL.canParse(resourceMetadataUrl) ? { resourceMetadataUrl } : {}),
  };
}
