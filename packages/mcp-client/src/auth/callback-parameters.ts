import type { AuthorizationServerMetadata } from "@modelcontextprotocol/sdk/shared/auth.js";

import type { AuthorizationContext } from "./authorization-context.ts";
import { isSameIssuer } from "./discovery.ts";
import { signInError } from "./oauth-errors.ts";

/** What a redirect has to match. */
export interface ExpectedCallback {
  state: string;
  issuer: string;
  metadata: AuthorizationServerMetadata | undefined;
  /** Whether a person has brought it: a bare code is taken then, since PKCE binds it to this sign-in. */
  isPasted: boolean;
}

/** Takes what a person pasted: the whole address, its query, or the code alone. */
export function readPastedCallback(pasted: string): URLSearchParams {
  const text = pasted.trim();
  const query = text.indexOf("?");
  if (query !== -1) return new URLSearchParams(text.slice(query + 1).replace(/#.*$/s, ""));
  return /(?:^|&)(?:code|error)=/.test(text) ? new URLSearchParams(text) : new URLSearchParams({ code: text });
}

/**
 * Gives the code of a redirect that belongs to this sign-in (RFC 6749, 4.1.2; RFC 9207).
 *
 * @throws ToolgateError `SIGN_IN_FAILED`
 */
export function readCode(
  context: AuthorizationContext,
  parameters: URLSearchParams,
  { isPasted, issuer, metadata, state }: ExpectedCallback,
): string {
  const code = parameters.get("code");
  const returned = parameters.get("state");
  const sender = parameters.get("iss");
  context.errors.addSecrets([code ?? undefined]);
  if (returned !== state && !(isPasted && returned === null && code !== null)) {
    throw signInError(context, "was signed in to with the answer to another sign-in: its state is a different one");
  }
  const expected = metadata?.issuer ?? issuer;
  if (sender !== null && sender !== expected && !isSameIssuer(sender, expected)) {
    throw signInError(context, `was signed in to with an answer of ${sender}, where ${expected} was asked`);
  }
  if (sender === null && saysIssuer(metadata)) {
    throw signInError(
      context,
      isPasted && returned === null
        ? "needs the whole address that the browser was sent to, not the code alone"
        : `was signed in to with an answer that does not say who sent it; ${expected} always does`,
    );
  }
  const error = parameters.get("error");
  if (error !== null) {
    const description = parameters.get("error_description");
    const why = description === null ? error : `${error} (${description.slice(0, 500)})`;
    throw signInError(context, `was not signed in to; the authorization server says ${why}`);
  }
  if (code === null || code === "") throw signInError(context, "was signed in to with an answer that has no code");
  return code;
}

function saysIssuer(metadata: AuthorizationServerMetadata | undefined): boolean {
  const fields = metadata as Record<string, unknown> | undefined;
  return fields?.["authorization_response_iss_parameter_supported"] === true;
}
