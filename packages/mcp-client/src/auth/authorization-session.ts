import type { BearerChallenge } from "../remote/challenge.ts";
import { type AuthorizationContext, readRecord } from "./authorization-context.ts";
import type { CredentialRecord } from "./credential-storage.ts";
import { signInError } from "./oauth-errors.ts";
import { includesScopes, scopesOf } from "./scopes.ts";
import { isExpiring } from "./token-answer.ts";

/** Milliseconds for which a token that nothing was done with yet counts as new. */
const NEW_FOR = 60_000;

/** A refusal that a request got. */
export interface Refusal {
  status: 401 | 403;
  challenge: BearerChallenge | undefined;
  /** The access token that the request had. */
  used: string | undefined;
}

/**
 * The token of one connection: read once, renewed before its end, replaced after a refusal. Requests that are refused at
 * the same time share one answer to it.
 */
export class AuthorizationSession {
  readonly #context: AuthorizationContext;
  readonly #inFlight = new Map<string, Promise<void>>();
  #record: CredentialRecord | undefined;
  #reading: Promise<void> | undefined;
  /** An access token that is new and has not been accepted yet: refused, it does not help to get another one like it. */
  #unproven: string | undefined;

  constructor(context: AuthorizationContext) {
    this.#context = context;
  }

  /** The access token for the next request; `undefined` when there is none. */
  async token(): Promise<string | undefined> {
    this.#reading ??= this.#read();
    await this.#reading;
    const tokens = this.#record?.tokens;
    if (tokens?.refreshToken !== undefined && isExpiring(tokens, this.#context.now())) {
      await this.#once(`renew ${tokens.accessToken}`, () => this.#refresh(tokens.accessToken)).catch(() => {
        // It may be good for a while; if it is not, the server says so, and why it could not be renewed is seen then.
      });
    }
    return this.#record?.tokens?.accessToken;
  }

  /** A request with this token was not refused. */
  accept(token: string | undefined): void {
    if (token === this.#unproven) this.#unproven = undefined;
  }

  /**
   * Does what a refusal asks for.
   *
   * @returns whether there is another token now, with which it is worth trying again
   */
  async answer(refusal: Refusal): Promise<boolean> {
    const { challenge, status, used } = refusal;
    const scopes = challenge?.scopes?.join(" ") ?? "";
    await this.#once(`${status} ${scopes} ${used ?? ""}`, () =>
      status === 401 ? this.#replace(refusal) : this.#stepUp(refusal),
    );
    const now = this.#record?.tokens?.accessToken;
    return now !== undefined && now !== used;
  }

  async #read(): Promise<void> {
    try {
      this.#record = await readRecord(this.#context);
    } catch (error) {
      this.#reading = undefined;
      throw signInError(this.#context, "has a stored sign-in that cannot be read", error);
    }
  }

  /** 401: the stored token if it is a newer one, else a renewed one, else a new sign-in. */
  async #replace({ challenge, used }: Refusal): Promise<void> {
    // A request that was on its way for long may have been overtaken.
    if (this.#isReplaced(used)) return;
    await this.#reread(used);
    if (this.#isReplaced(used)) return;
    if (this.#isNew(used)) return;
    if (used !== undefined && this.#record?.tokens?.refreshToken !== undefined) await this.#refresh(used);
    if (this.#isReplaced(used)) return;
    await this.#signIn(challenge, used, undefined);
  }

  /** 403 `insufficient_scope`: a sign-in for more, unless all of that was asked for before. */
  async #stepUp({ challenge, used }: Refusal): Promise<void> {
    const wanted = challenge?.scopes ?? [];
    if (this.#isReplaced(used)) return;
    await this.#reread(used);
    if (this.#isReplaced(used)) return;
    if (wanted.length === 0 || includesScopes(this.#record?.scope, wanted)) return;
    await this.#signIn(challenge, used, scopesOf(this.#record));
  }

  async #refresh(used: string): Promise<void> {
    const { refreshTokens } = await import("./refresh-tokens.ts");
    this.#take(await refreshTokens(this.#context, used));
  }

  async #signIn(
    challenge: BearerChallenge | undefined,
    used: string | undefined,
    before: string | undefined,
  ): Promise<void> {
    const { hasTokenGrant, obtainGrantedTokens } = await import("./token-grants.ts");
    if (hasTokenGrant(this.#context)) {
      this.#take(await obtainGrantedTokens(this.#context, { challenge, used, before }));
    } else if (this.#context.authorization.onAuthorizationUrl !== undefined) {
      const { signInWithBrowser } = await import("./authorization-code.ts");
      this.#take(await signInWithBrowser(this.#context, { challenge, before, signal: undefined }));
    }
  }

  /** Another process may have been first. */
  async #reread(used: string | undefined): Promise<void> {
    const stored = await readRecord(this.#context);
    if (stored?.tokens !== undefined && stored.tokens.accessToken !== used) this.#take(stored);
  }

  #take(record: CredentialRecord | undefined): void {
    const before = this.#record?.tokens?.accessToken;
    this.#record = record;
    const now = record?.tokens?.accessToken;
    if (now !== before) this.#unproven = now;
  }

  /** Whether a token was got just now and has been good for nothing yet. */
  #isNew(used: string | undefined): boolean {
    const tokens = this.#record?.tokens;
    if (tokens === undefined || tokens.accessToken !== used || used !== this.#unproven) return false;
    return this.#context.now() < tokens.obtainedAt + NEW_FOR;
  }

  #isReplaced(used: string | undefined): boolean {
    const now = this.#record?.tokens?.accessToken;
    return now !== undefined && now !== used;
  }

  #once(what: string, task: () => Promise<void>): Promise<void> {
    let running = this.#inFlight.get(what);
    if (running === undefined) {
      running = task().finally(() => this.#inFlight.delete(what));
      this.#inFlight.set(what, running);
    }
    return running;
  }
}
