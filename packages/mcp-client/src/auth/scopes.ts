import type { CredentialRecord } from "./credential-storage.ts";

/** Splits a list of scopes as OAuth writes it. */
export function splitScopes(scopes: string | undefined): string[] {
  return scopes?.split(/\s+/).filter(Boolean) ?? [];
}

/** All scopes of several lists, each once; `undefined` when there is none. */
export function joinScopes(...lists: readonly (readonly string[] | undefined)[]): string | undefined {
  const all = new Set(lists.flatMap((list) => list ?? []));
  return all.size === 0 ? undefined : [...all].join(" ");
}

/** Scopes that a sign-in was made for: those asked for, and those granted. */
export function scopesOf(record: CredentialRecord | undefined): string | undefined {
  return joinScopes(splitScopes(record?.scope), splitScopes(record?.tokens?.scope));
}

/** Whether every wanted scope is in a list. */
export function includesScopes(scopes: string | undefined, wanted: readonly string[]): boolean {
  const have = new Set(splitScopes(scopes));
  return wanted.every((scope) => have.has(scope));
}

/** Where the scopes of a sign-in may come from. */
export interface ScopeSources {
  /** `oauth.scope` of the entry. */
  configured: string | undefined;
  /** Scopes of the server's challenge. */
  challenged: readonly string[] | undefined;
  /** Scopes that were asked for before. */
  before: string | undefined;
  /** `scopes_supported` of the protected-resource metadata. */
  supported: readonly string[] | undefined;
}

/**
 * Chooses the scopes to ask for: what the server's challenge says, with what the entry says and what was there before;
 * else what its metadata lists; else none, so that the authorization server decides.
 */
export function selectScopes({ configured, challenged, before, supported }: ScopeSources): string | undefined {
  return joinScopes(splitScopes(before), splitScopes(configured), challenged) ?? joinScopes(supported);
}
