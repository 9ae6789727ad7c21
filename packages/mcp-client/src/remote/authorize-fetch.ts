import type { HttpServerConfig, SseServerConfig } from "@toolgate/contracts";

import type { ConnectOptions } from "../connection/connect-options.ts";
import type { ServerErrors } from "../connection/server-errors.ts";

/**
 * A fetch that signs in as the host allows. Without `authorization`, or where the entry has a credential of its own, it is
 * that of the options, and nothing of OAuth is loaded.
 */
export async function authorizeFetch(
  config: HttpServerConfig | SseServerConfig,
  options: ConnectOptions,
  errors: ServerErrors,
): Promise<typeof globalThis.fetch> {
  const { authorization, fetch = globalThis.fetch } = options;
  if (authorization === undefined || hasCredential(config)) return fetch;
  const [{ createAuthorizationContext }, { createAuthorizedFetch }] = await Promise.all([
    import("../auth/authorization-context.ts"),
    import("../auth/authorized-fetch.ts"),
  ]);
  const context = createAuthorizationContext(config, { ...options, authorization }, errors);
  return createAuthorizedFetch(fetch, context);
}

function hasCredential({ auth, headers = {} }: HttpServerConfig | SseServerConfig): boolean {
  return auth !== undefined || Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
}
