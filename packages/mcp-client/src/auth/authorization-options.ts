import type { MaybePromise } from "@toolgate/contracts";

import type { CredentialStorage } from "./credential-storage.ts";

/** What a host gets to know about a sign-in that waits for a person. */
export interface AuthorizationUrlContext {
  /** The server's name. */
  server: string;
  /** The value that the redirect has to bring back. */
  state: string;
  /** Where the browser is sent afterwards. */
  redirectUrl: string;
}

/** How a program without a person identifies itself (OAuth 2.1 client credentials). */
export type ClientCredentials = {
  clientId: string;
  /** Scopes to ask for. @default the entry's `oauth.scope`, else what the server names */
  scope?: string;
  /** The only authorization server that may see these credentials. @default the one that the server names first */
  issuer?: string;
} & (
  | {
      method: "client_secret_basic" | "client_secret_post";
      /** A secret. */
      clientSecret: string;
    }
  | {
      method: "private_key_jwt";
      /** PKCS #8 in PEM, or a JSON Web Key. A secret. */
      privateKey: string | Record<string, unknown>;
      /** Signature algorithm, for example `ES256`. */
      algorithm: string;
    }
);

/**
 * Access that a company's identity provider vouches for: its ID token is exchanged there for an identity assertion
 * (RFC 8693), which the server's authorization server takes for an access token (RFC 7523).
 */
export interface CrossAppAccess {
  /** The ID token of the signed-in person, or a function that gives a fresh one. A secret. */
  idToken: string | (() => MaybePromise<string>);
  identityProvider: {
    /** Where the exchange takes place. */
    tokenEndpoint: string;
    clientId: string;
    /** A secret. @default a public client */
    clientSecret?: string;
  };
}

/**
 * How a remote server is signed in to.
 *
 * Stored tokens are used and refreshed. A sign-in that needs a person is started only when `onAuthorizationUrl` is given.
 * Pass these options for servers that the person has approved: a server's metadata decides which addresses are contacted.
 */
export interface AuthorizationOptions {
  /** Where sign-ins are kept. */
  storage: CredentialStorage;
  /** Opens the address in a browser, or shows it. What it rejects with ends the sign-in. */
  onAuthorizationUrl?(url: string, context: AuthorizationUrlContext): MaybePromise<void>;
  /**
   * Asks the person for the address that the browser was sent to, for when that browser cannot reach this machine. A bare
   * code is taken too. Called beside the loopback listener; whichever comes first counts. When the signal aborts, nobody
   * waits any more.
   */
  readCallback?(context: { signal: AbortSignal }): Promise<string>;
  /** Milliseconds that a person has for the sign-in. @default 300000 */
  callbackTimeout?: number;
  /** HTTPS address of this client's metadata document, for authorization servers that take it as client id. */
  clientMetadataUrl?: string;
  /** Name that people see when they consent. @default "Toolgate" */
  clientName?: string;
  /** Signs in without a person. */
  clientCredentials?: ClientCredentials;
  /** Signs in with a company's identity provider; the client is the entry's `oauth`, or `clientCredentials`. */
  crossAppAccess?: CrossAppAccess;
  /** Milliseconds since 1970. @default `Date.now` */
  now?(): number;
}
