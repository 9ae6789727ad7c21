import {
  type HttpServerConfig,
  type MCPServerConfig,
  type SseServerConfig,
  validateServerConfig,
} from "@toolgate/contracts";

import type { AuthorizationOptions } from "./auth/authorization-options.ts";
import type { ConnectOptions } from "./connection/connect-options.ts";
import { ServerErrors } from "./connection/server-errors.ts";
import { hasCredential } from "./remote/entry-credential.ts";

/** Settings of {@link signIn}. */
export interface SignInOptions extends Pick<ConnectOptions, "source" | "fetch" | "clock" | "logger" | "signal"> {
  /** How to sign in, and where the sign-in is kept. */
  authorization: AuthorizationOptions;
}

/** Settings of {@link signOut}. */
export type SignOutOptions = Omit<SignInOptions, "signal">;

/** A sign-in that was made; it holds no secret. */
export interface SignedIn {
  /** The authorization server that gave the tokens. */
  issuer: string;
  /** Scopes, separated by spaces; absent when none were named. */
  scope?: string;
  /** Milliseconds since 1970 when the access token ends; absent when the authorization server does not say. */
  expiresAt?: number;
}

/** What became of a sign-out. The stored record is gone in any case. */
export interface SignedOut {
  /** Whether the authorization server has been told, so that the tokens are of no use to anybody. */
  revoked: boolean;
  /** Why not. */
  reason?: string;
}

/**
 * Signs in to a remote server, also when a sign-in is stored: it is replaced. Connections that are open take the new one
 * at their next refusal.
 *
 * @param name - The server's name, used in errors.
 * @param config - The entry with all substitutions done.
 * @throws ToolgateError `CONFIG_INVALID` for an entry that is wrong, of a local server or has a credential of its own,
 * `SIGN_IN_FAILED` when it is not finished, in time or at all; an AbortError when `signal` aborts
 */
export async function signIn(name: string, config: MCPServerConfig, options: SignInOptions): Promise<SignedIn> {
  const errors = new ServerErrors(name, config, options.source);
  const remote = assertRemote(name, config, errors);
  if (hasCredential(remote)) {
    throw errors.create(
      "CONFIG_INVALID",
      "has a credential of its own in its entry, which is used instead of a sign-in.",
    );
  }
  const { runSignIn } = await import("./auth/run-sign-in.ts");
  return runSignIn({ config: remote, options, errors });
}

/**
 * Signs out of a remote server: its tokens are revoked where the authorization server can do that, then they are deleted.
 *
 * @throws ToolgateError `CONFIG_INVALID` for an entry that is wrong or of a local server, `SIGN_IN_FAILED` when the record
 * cannot be deleted
 */
export async function signOut(name: string, config: MCPServerConfig, options: SignOutOptions): Promise<SignedOut> {
  const errors = new ServerErrors(name, config, options.source);
  const remote = assertRemote(name, config, errors);
  const { runSignOut } = await import("./auth/run-sign-out.ts");
  return runSignOut(remote, options, errors);
}

function assertRemote(name: string, config: MCPServerConfig, errors: ServerErrors): HttpServerConfig | SseServerConfig {
  const problems = validateServerConfig(name, config);
  if (problems.length > 0)
    throw errors.during("config").create("CONFIG_INVALID", `has a wrong entry: ${problems.join("; ")}`);
  if (config.type === "http" || config.type === "sse") return config;
  throw errors.during("config").create("CONFIG_INVALID", "is a local process: it is not signed in to.");
}
