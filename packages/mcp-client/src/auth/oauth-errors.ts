import { SECRET_MASK, ToolgateError } from "@toolgate/contracts";

import { describeNetworkError } from "../remote/http-errors.ts";
import type { AuthorizationContext } from "./authorization-context.ts";

// What an authorization server answers is quoted; a token in there is none that could be known before.
const SECRET_FIELD =
  /((?:access_token|refresh_token|id_token|client_secret|client_assertion|assertion|subject_token|code|code_verifier)["']?\s*[:=]\s*["']?)[^"'&\s,}]+/gi;

/** A sign-in, or the renewal of one, that failed: what was tried and what came back, without secrets. */
export function signInError(context: AuthorizationContext, what: string, failure?: unknown): ToolgateError {
  if (ToolgateError.isInstance(failure)) return failure;
  const why = failure === undefined ? "" : `: ${describeOAuthFailure(context, failure)}`;
  // The cause is not attached: it may quote what was sent.
  return context.errors.create("SIGN_IN_FAILED", `at ${context.errors.target} ${what}${why}`);
}

/** Quotes an OAuth error, a network error or anything else. */
export function describeOAuthFailure(context: AuthorizationContext, failure: unknown): string {
  const network = describeNetworkError(failure);
  if (network !== undefined) return network.text;
  const code = oauthErrorCode(failure);
  const text = redactFields(context.errors.messageOf(failure));
  return code === undefined ? text : text === "" ? code : `${code} (${text})`;
}

/** The `error` of an OAuth error answer (RFC 6749, 5.2), for example `invalid_grant`. */
export function oauthErrorCode(failure: unknown): string | undefined {
  if (!(failure instanceof Error)) return undefined;
  const { errorCode } = failure as { errorCode?: unknown };
  return typeof errorCode === "string" ? errorCode : undefined;
}

function redactFields(text: string): string {
  return text.replaceAll(SECRET_FIELD, `$1${SECRET_MASK}`);
}
