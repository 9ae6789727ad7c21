/** How the client program signs in. */
import { createKeyvCredentialStorage } from "@toolgate/mcp-client";

/**
 * @typedef {NonNullable<import("@toolgate/mcp-client").ConnectOptions["authorization"]>} AuthorizationOptions
 * @typedef {import("./client-scenarios.mjs").Task} Task
 */

/** The address that the runner expects in place of a registration. */
const CLIENT_METADATA_URL = "https://conformance-test.local/client-metadata.json";

/** @type {Record<string, (context: Record<string, any>) => Partial<AuthorizationOptions>>} */
const withoutPerson = {
  "auth/client-credentials-basic": ({ client_id: clientId, client_secret: clientSecret }) => ({
    clientCredentials: { method: "client_secret_basic", clientId, clientSecret },
  }),
  "auth/client-credentials-jwt": (context) => ({
    clientCredentials: {
      method: "private_key_jwt",
      clientId: context["client_id"],
      privateKey: context["private_key_pem"],
      algorithm: context["signing_algorithm"],
    },
  }),
  "auth/cross-app-access-complete-flow": (context) => ({
    crossAppAccess: {
      idToken: context["idp_id_token"],
      identityProvider: { tokenEndpoint: context["idp_token_endpoint"], clientId: context["idp_client_id"] },
    },
  }),
};

/** @param {string} scenario @param {Task} task @returns {AuthorizationOptions} */
export function authorizationFor(scenario, { context }) {
  const storage = createKeyvCredentialStorage(createStore());
  return {
    storage,
    clientMetadataUrl: CLIENT_METADATA_URL,
    ...(withoutPerson[scenario]?.(context) ?? { onAuthorizationUrl: consent }),
  };
}

/** The client that the entry's `oauth` names, for the scenarios that know one beforehand. @param {Task} task */
export function oauthFor({ context }) {
  const { client_id: clientId, client_secret: clientSecret } = context;
  return clientId === undefined || clientSecret === undefined ? {} : { oauth: { clientId, clientSecret } };
}

/** A person who consents at once: the redirects lead from the authorization server to the listener of the client. */
async function consent(/** @type {string} */ url) {
  await (await fetch(url)).arrayBuffer();
}

/** Sign-ins are kept for one run only. */
function createStore() {
  /** @type {Map<string, unknown>} */
  const entries = new Map();
  return {
    get: (/** @type {string} */ key) => Promise.resolve(entries.get(key)),
    set: (/** @type {string} */ key, /** @type {unknown} */ value) => Promise.resolve(entries.set(key, value)),
    delete: (/** @type {string} */ key) => Promise.resolve(entries.delete(key)),
  };
}
