// The parts of oidc-provider, which has no types of its own, that are used here.
declare module "oidc-provider" {
  import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

  /** A token as the authorization server knows it. */
  export interface OidcToken {
    aud?: string | string[];
    scope?: string;
    isValid: boolean;
    destroy(): Promise<void>;
  }

  /** What a person is asked. */
  export interface OidcInteraction {
    prompt: {
      name: string;
      details: { missingResourceScopes?: Record<string, string[]>; missingOIDCScope?: string[] };
    };
    params: { client_id: string };
    session?: { accountId: string };
    grantId?: string;
  }

  /** What a person has consented to. */
  export interface OidcGrant {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }

  interface TokenKind {
    find(token: string): Promise<OidcToken | undefined>;
  }

  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    on(event: string, listener: (context: { oidc: { params?: Record<string, unknown> } }) => void): void;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<OidcInteraction>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object, how: object): Promise<void>;
    readonly AccessToken: TokenKind;
    readonly ClientCredentials: TokenKind;
    readonly RefreshToken: TokenKind;
    readonly Grant: {
      new (properties: { accountId: string; clientId: string }): OidcGrant;
      find(id: string): Promise<OidcGrant | undefined>;
    };
  }
}
