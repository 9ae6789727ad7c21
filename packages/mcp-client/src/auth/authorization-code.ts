import { randomBytes } from "node:crypto";

import { exchangeAuthorization, startAuthorization } from "@modelcontextprotocol/sdk/client/auth.js";

import { AbortError } from "../connection/abort-error.ts";
import type { BearerChallenge } from "../remote/challenge.ts";
import { type AuthorizationContext, ownRecord, readRecord } from "./authorization-context.ts";
import { CallbackListener } from "./callback-listener.ts";
import { type ExpectedCallback, readCode, readPastedCallback } from "./callback-parameters.ts";
import { authenticateClient, toClientInformation } from "./client-authentication.ts";
import { chooseClient, registeredClient } from "./client-registration.ts";
import type { CredentialRecord } from "./credential-storage.ts";
import { type AuthorizationServer, discoverAuthorizationServer } from "./discovery.ts";
import { signInError } from "./oauth-errors.ts";
import { joinScopes, selectScopes, splitScopes } from "./scopes.ts";
import { toStoredTokens } from "./token-answer.ts";

/** Milliseconds that a person has. */
const CALLBACK_TIMEOUT = 300_000;

/** What a person is asked to sign in for. */
export interface SignInRequest {
  challenge: BearerChallenge | undefined;
  /** Scopes that were asked for before, when more are needed now. */
  before: string | undefined;
  signal: AbortSignal | undefined;
}

/**
 * Signs a person in: authorization code with PKCE, by a loopback redirect or a pasted address.
 *
 * @returns the record as it is stored
 * @throws ToolgateError `SIGN_IN_FAILED`; an AbortError when the signal aborts. The port is free again in every case.
 */
export async function signInWithBrowser(
  context: AuthorizationContext,
  request: SignInRequest,
): Promise<CredentialRecord | undefined> {
  const record = await readRecord(context);
  const server = await discoverAuthorizationServer(context, request.challenge, record?.issuer);
  const listener = await listen(context, record);
  try {
    const signedIn = await runBrowserFlow(context, { request, record, server, listener });
    return ownRecord(await context.authorization.storage.update(context.key, () => signedIn), context);
  } catch (error) {
    if (error instanceof AbortError) throw error;
    throw signInError(context, "could not be signed in to", error);
  } finally {
    await listener.close();
  }
}

/** Listens where the known client's redirect is, so that it need not be registered again; else at any free port. */
async function listen(context: AuthorizationContext, record: CredentialRecord | undefined): Promise<CallbackListener> {
  const fixed = context.config.oauth?.callbackPort;
  const known = registeredClient(context, record)?.redirectUrl;
  const port = fixed ?? (known === undefined ? 0 : Number(new URL(known).port));
  try {
    return await CallbackListener.listen(port);
  } catch (error) {
    if (fixed === undefined && port !== 0) return CallbackListener.listen(0);
    throw signInError(context, `needs a sign-in, and its "oauth".callbackPort ${port} cannot be listened at`, error);
  }
}

interface BrowserFlow {
  request: SignInRequest;
  record: CredentialRecord | undefined;
  server: AuthorizationServer;
  listener: CallbackListener;
}

async function runBrowserFlow(context: AuthorizationContext, flow: BrowserFlow): Promise<CredentialRecord> {
  const { listener, record, request, server } = flow;
  const { redirectUrl } = listener;
  const { metadata } = server;
  assertPkce(context, server);
  const client = await chooseClient(context, server, { record, redirectUrl });
  const scope = chooseScope(context, server, request);
  const shared = {
    ...(metadata === undefined ? {} : { metadata }),
    ...(server.resource === undefined ? {} : { resource: server.resource }),
    clientInformation: toClientInformation(client),
  };
  const state = randomBytes(32).toString("base64url");
  const { authorizationUrl, codeVerifier } = await startAuthorization(server.issuer, {
    ...shared,
    redirectUrl,
    state,
    ...(scope === undefined ? {} : { scope }),
  });
  context.errors.addSecrets([codeVerifier]);
  const expected: ExpectedCallback = { state, issuer: server.issuer, metadata, isPasted: false };
  const code = await waitForCode(context, { listener, expected, url: authorizationUrl.href, signal: request.signal });
  const answer = await exchangeAuthorization(server.issuer, {
    ...shared,
    addClientAuthentication: authenticateClient(client),
    authorizationCode: code,
    codeVerifier,
    redirectUri: redirectUrl,
    fetchFn: context.fetch,
  });
  return {
    serverUrl: context.key,
    issuer: server.issuer,
    ...(metadata === undefined ? {} : { metadata: { ...metadata } }),
    ...(server.resource === undefined ? {} : { resource: server.resource }),
    ...(scope === undefined ? {} : { scope }),
    client,
    tokens: toStoredTokens(context, answer),
  };
}

/** A code that is not bound to this sign-in can be used by whoever sees it. */
function assertPkce(context: AuthorizationContext, { issuer, metadata, resource }: AuthorizationServer): void {
  // Metadata of revision 2025-03-26 need not mention it.
  if (metadata === undefined || resource === undefined) return;
  if (metadata.code_challenge_methods_supported?.includes("S256") === true) return;
  throw signInError(context, `has an authorization server, ${issuer}, that does not say that it knows PKCE with S256`);
}

function chooseScope(
  { config }: AuthorizationContext,
  { metadata, scopesSupported }: AuthorizationServer,
  { before, challenge }: SignInRequest,
): string | undefined {
  const scope = selectScopes({
    configured: config.oauth?.scope,
    challenged: challenge?.scopes,
    before,
    supported: scopesSupported,
  });
  // Without it such an authorization server gives no refresh token.
  const offline = metadata?.scopes_supported?.includes("offline_access") === true;
  return offline && scope !== undefined ? joinScopes(splitScopes(scope), ["offline_access"]) : scope;
}

interface Waiting {
  listener: CallbackListener;
  expected: ExpectedCallback;
  url: string;
  signal: AbortSignal | undefined;
}

/** Shows the address to the person, and waits for the browser, for what is pasted, for the end of time or for an abort. */
async function waitForCode(context: AuthorizationContext, waiting: Waiting): Promise<string> {
  const { authorization, clock, errors } = context;
  const { name } = errors;
  const { expected, listener, signal, url } = waiting;
  const limit = authorization.callbackTimeout ?? CALLBACK_TIMEOUT;
  const over = new AbortController();
  const received = listener.receive(expected.state);
  let timer: unknown;
  let abort: (() => void) | undefined;
  const givenUp = new Promise<never>((_, reject) => {
    timer = clock.setTimeout(
      () => reject(signInError(context, `was not signed in to within ${limit} ms; the sign-in was given up`)),
      limit,
    );
    if (signal === undefined) return;
    abort = () => reject(new AbortError(`Signing in to the server "${name}" was cancelled`, signal));
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
  });
  try {
    const { state } = expected;
    const shown = Promise.resolve(
      authorization.onAuthorizationUrl?.(url, { server: name, state, redirectUrl: listener.redirectUrl }),
    );
    // A browser that was opened may come back before its opening has returned.
    const failed = shown.then(() => new Promise<never>(() => {}));
    const ways = [received.then((parameters) => readCode(context, parameters, expected)), failed, givenUp];
    if (authorization.readCallback !== undefined) {
      const pasted = shown.then(() => authorization.readCallback?.({ signal: over.signal }) ?? "");
      ways.push(pasted.then((text) => readCode(context, readPastedCallback(text), { ...expected, isPasted: true })));
    }
    // What comes later is nobody's any more.
    for (const way of ways) way.catch(() => {});
    return await Promise.race(ways);
  } finally {
    clock.clearTimeout(timer);
    if (abort !== undefined) signal?.removeEventListener("abort", abort);
    over.abort();
  }
}
