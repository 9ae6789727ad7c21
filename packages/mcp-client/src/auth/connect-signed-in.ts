import { type HttpServerConfig, isRecord, type SseServerConfig, ToolgateError } from "@toolgate/contracts";

import type { ConnectOptions } from "../connection/connect-options.ts";
import type { MCPServerConnection } from "../connection/connection.ts";
import type { ServerErrors } from "../connection/server-errors.ts";
import type { BearerChallenge } from "../remote/challenge.ts";
import type { AuthorizationOptions } from "./authorization-options.ts";
import { includesScopes, joinScopes, splitScopes } from "./scopes.ts";

/** How often a person is asked for one connection: once to sign in, once more for scopes that turn out to be missing. */
const MOST_SIGN_INS = 2;

/** What is connected, and how one attempt is made. */
export interface SignedInConnect {
  config: HttpServerConfig | SseServerConfig;
  options: ConnectOptions & { authorization: AuthorizationOptions };
  errors: ServerErrors;
  open: (authorization: AuthorizationOptions) => Promise<MCPServerConnection>;
}

/**
 * Connects, and lets a person sign in when the server wants that.
 *
 * The sign-in is between two attempts, so that a person's time is not the server's: the limit of connecting counts for each
 * of them. Once connected, what a later refusal asks for is done while its request waits.
 */
export async function connectSignedIn({
  config,
  errors,
  open,
  options,
}: SignedInConnect): Promise<MCPServerConnection> {
  const { authorization } = options;
  // Read by the connection's fetch each time, so that it learns when a person may be asked.
  const current: AuthorizationOptions = { ...authorization };
  let asked: string | undefined;
  for (let signIns = 0; ; signIns += 1) {
    delete current.onAuthorizationUrl;
    try {
      const connection = await open(current);
      Object.assign(current, authorization);
      return connection;
    } catch (error) {
      const refusal = readRefusal(error);
      if (refusal === undefined || signIns === MOST_SIGN_INS) throw error;
      const { challenge, keepScopes } = refusal;
      const { scopes = [] } = challenge;
      // What was asked for already does not help, and a new sign-in that is refused is refused for something else.
      if (signIns > 0 && (!keepScopes || scopes.length === 0 || includesScopes(asked, scopes))) throw error;
      const { runSignIn } = await import("./run-sign-in.ts");
      await runSignIn({ config, options, errors, challenge, keepScopes });
      asked = joinScopes(splitScopes(asked), scopes);
    }
  }
}

/** What a server asked for, out of the error that says so. */
function readRefusal(error: unknown): { challenge: BearerChallenge; keepScopes: boolean } | undefined {
  if (!ToolgateError.isInstance(error) || error.code !== "AUTH_REQUIRED") return undefined;
  const data = isRecord(error.data) ? error.data : {};
  const { resourceMetadataUrl, scopes, status } = data;
  const challenge: BearerChallenge = {
    ...(typeof resourceMetadataUrl === "string" ? { resourceMetadataUrl } : {}),
    ...(Array.isArray(scopes) ? { scopes: scopes.map(String) } : {}),
  };
  return { challenge, keepScopes: status === 403 };
}
