/** The tokens of one sign-in. All of them are secrets. */
export interface StoredTokens {
  accessToken: string;
  refreshToken?: string;
  /** Milliseconds since 1970 when they were issued. */
  obtainedAt: number;
  /** Milliseconds since 1970 when the access token ends; absent when the server does not say. */
  expiresAt?: number;
  /** Scopes that were granted, separated by spaces; absent when the server does not say. */
  scope?: string;
}

/** The OAuth client that the tokens belong to. */
export interface StoredClient {
  clientId: string;
  /** A secret. */
  clientSecret?: string;
  /** Milliseconds since 1970; absent for a secret that does not expire. */
  clientSecretExpiresAt?: number;
  /** How the authorization server wants the client to identify itself. */
  tokenEndpointAuthMethod?: string;
  /** The redirect that was registered; absent for a client that was not registered by this package. */
  redirectUrl?: string;
}

/** What is kept for one server. */
export interface CredentialRecord {
  /** The canonical URL of the server. A record is used for this server and no other. */
  serverUrl: string;
  /** The authorization server's identifier; client and tokens are sent there and nowhere else. */
  issuer: string;
  /** The authorization server's metadata (RFC 8414), as it was fetched; absent for a server that has none. */
  metadata?: Record<string, unknown>;
  client?: StoredClient;
  /** The resource indicator (RFC 8707) that the tokens were asked for. */
  resource?: string;
  /** Scopes that were asked for, separated by spaces. */
  scope?: string;
  tokens?: StoredTokens;
}

/**
 * Where sign-ins are kept.
 *
 * Contract: `update` calls `change` with what is stored and stores what it gives, and nothing else changes that record
 * meanwhile; `change` may take as long as a request to the authorization server. When `change` gives `undefined` or
 * rejects, nothing is written. A record that cannot be understood counts as none. `read` needs no lock.
 */
export interface CredentialStorage {
  /** @param key - Canonical URL of the server, see `CredentialRecord.serverUrl`. */
  read(key: string): Promise<CredentialRecord | undefined>;
  /** @returns what is stored afterwards */
  update(
    key: string,
    change: (
      current: CredentialRecord | undefined,
    ) => Promise<CredentialRecord | undefined> | CredentialRecord | undefined,
  ): Promise<CredentialRecord | undefined>;
  /** Removes a record; it is fine when there is none. */
  delete(key: string): Promise<void>;
}
