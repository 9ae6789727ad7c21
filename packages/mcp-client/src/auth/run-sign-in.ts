import type { HttpServerConfig, SseServerConfig } from "@toolgate/contracts";

import { AbortError, isAborted } from "../connection/abort-error.ts";
import type { ServerErrors } from "../connection/server-errors.ts";
import type { BearerChallenge } from "../remote/challenge.ts";
import type { SignedIn, SignInOptions } from "../sign-in.ts";
import { signInWithBrowser } from "./authorization-code.ts";
import { type AuthorizationContext, createAuthorizationContext, readRecord } from "./authorization-context.ts";
import type { CredentialRecord } from "./credential-storage.ts";
import { signInError } from "./oauth-errors.ts";
import { probeChallenge } from "./probe-challenge.ts";
import { scopesOf } from "./scopes.ts";
import { hasTokenGrant, obtainGrantedTokens } from "./token-grants.ts";

/** What a sign-in starts from. */
export interface SignInInput {
  config: HttpServerConfig | SseServerConfig;
  options: SignInOptions;
  errors: ServerErrors;
  /** What the server has asked for. @default what it answers to a request without a token */
  challenge?: BearerChallenge;
  /** Whether the scopes of the stored sign-in are asked for too. @default false */
  keepScopes?: boolean;
}

/** Signs in to a server in the way that the host has given, see `signIn`. */
export async function runSignIn(input: SignInInput): Promise<SignedIn> {
  const { errors, options } = input;
  const { signal } = options;
  const fetch = options.fetch ?? globalThis.fetch;
  const context = createAuthorizationContext(
    input.config,
    { ...options, ...(signal === undefined ? {} : { fetch: abortedBy(fetch, signal) }) },
    errors,
  );
  try {
    const record = await signInAnew(context, input);
    if (record?.tokens === undefined) throw signInError(context, "was signed in to, but nothing was stored");
    const { issuer, tokens } = record;
    const scope = tokens.scope ?? record.scope;
    return {
      issuer,
      ...(scope === undefined ? {} : { scope }),
      ...(tokens.expiresAt === undefined ? {} : { expiresAt: tokens.expiresAt }),
    };
  } catch (error) {
    if (signal !== undefined && isAborted(signal)) {
      throw error instanceof AbortError
        ? error
        : new AbortError(`Signing in to the server "${errors.name}" was cancelled`, signal);
    }
    throw signInError(context, "could not be signed in to", error);
  }
}

async function signInAnew(context: AuthorizationContext, input: SignInInput): Promise<CredentialRecord | undefined> {
  const challenge = input.challenge ?? (await probeChallenge(context));
  const record = await readRecord(context);
  const before = input.keepScopes === true ? scopesOf(record) : undefined;
  if (hasTokenGrant(context)) {
    return obtainGrantedTokens(context, { challenge, used: record?.tokens?.accessToken, before });
  }
  if (context.authorization.onAuthorizationUrl === undefined) {
    throw signInError(context, "needs a sign-in by a person, and there is no way to show its address");
  }
  return signInWithBrowser(context, { challenge, before, signal: input.options.signal });
}

function abortedBy(fetch: typeof globalThis.fetch, signal: AbortSignal): typeof globalThis.fetch {
  return (input, init) =>
    fetch(input, { ...init, signal: init?.signal == null ? signal : AbortSignal.any([init.signal, signal]) });
}
