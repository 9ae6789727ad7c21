import { expect, test } from "vitest";

import { verifies } from "../../../../tooling/test-support/verifies.mjs";
import { createFileCredentialStorage, listTools, signIn } from "../../src/index.ts";
import { connect, failureOf, temporaryDirectory } from "../support/scripted.ts";
import { addressOf, signInByBrowser } from "./support/browser.ts";
import {
  agree,
  giveToken,
  resourceMetadata,
  type Route,
  serverMetadata,
  startPlainServer,
} from "./support/plain-server.ts";

const RESOURCE = "/.well-known/oauth-protected-resource/mcp";
const SERVER = "/.well-known/oauth-authorization-server";
const CLIENT_DOCUMENT = "https://client.example/metadata.json";

async function authorization() {
  const storage = createFileCredentialStorage({ directory: await temporaryDirectory() });
  return { storage, onAuthorizationUrl: signInByBrowser };
}

/** Connects by signing in, and gives the parameters of the requests to a path. */
async function signedInTo(
  routes: Record<string, Route>,
  extra: { clientMetadataUrl?: string; oauth?: { clientId: string; clientSecret?: string } } = {},
) {
  const { requests, url } = await startPlainServer(routes);
  const { oauth, ...options } = extra;
  const config = { type: "http", url, ...(oauth === undefined ? {} : { oauth }) } as const;
  const connection = await connect(config, { authorization: { ...(await authorization()), ...options } });
  expect((await listTools(connection)).tools).toHaveLength(1);
  return (path: string) => requests.filter((request) => request.path === path);
}

test(verifies("X05", "the client's metadata document is its id where the authorization server takes it"), async () => {
  const metadata = serverMetadata({ client_id_metadata_document_supported: true, registration_endpoint: "http://x/" });
  const routes = { [RESOURCE]: resourceMetadata, [SERVER]: metadata, "/authorize": agree, "/token": giveToken };
  const requestsTo = await signedInTo(routes, { clientMetadataUrl: CLIENT_DOCUMENT });
  expect(requestsTo("/authorize")).toMatchObject([{ parameters: { client_id: CLIENT_DOCUMENT } }]);
  expect(requestsTo("/token")).toMatchObject([{ parameters: { client_id: CLIENT_DOCUMENT, code: "the-code" } }]);
});

test(
  verifies("X05", "a server of revision 2025-03-26 without any metadata is signed in to at its fixed paths"),
  async () => {
    const register: Route = ({ body }) => ({ ...(JSON.parse(body) as object), client_id: "registered" });
    const requestsTo = await signedInTo({ "/register": register, "/authorize": agree, "/token": giveToken });
    expect(requestsTo("/register")).toHaveLength(1);
    expect(requestsTo("/authorize")).toMatchObject([{ parameters: { client_id: "registered" } }]);
    // Without metadata nobody knows a name for the resource.
    expect(requestsTo("/authorize")[0]?.parameters).not.toHaveProperty("resource");
  },
);

test.each(["client_secret_basic", "client_secret_post"])(
  "a secret is sent as the authorization server wants it (%s)",
  async (method) => {
    const metadata = serverMetadata({ token_endpoint_auth_methods_supported: [method] });
    const routes = { [RESOURCE]: resourceMetadata, [SERVER]: metadata, "/authorize": agree, "/token": giveToken };
    const requestsTo = await signedInTo(routes, { oauth: { clientId: "a:b", clientSecret: "50%+5" } });
    const [request] = requestsTo("/token");
    if (method === "client_secret_basic") {
      expect(request?.authorization).toBe(`Basic ${Buffer.from("a%3Ab:50%25%2B5").toString("base64")}`);
      expect(request?.parameters).not.toHaveProperty("client_secret");
    } else {
      expect(request?.authorization).toBeUndefined();
      expect(request?.parameters).toMatchObject({ client_id: "a:b", client_secret: "50%+5" });
    }
  },
);

test("a company's identity provider vouches for its person", async () => {
  const exchange: Route = () => ({
    access_token: "an-assertion",
    issued_token_type: "urn:ietf:params:oauth:token-type:id-jag",
    token_type: "N_A",
  });
  const provider = await startPlainServer({ "/token": exchange });
  const server = await startPlainServer({
    [RESOURCE]: resourceMetadata,
    [SERVER]: serverMetadata({ token_endpoint_auth_methods_supported: ["client_secret_basic"] }),
    "/token": giveToken,
  });
  const { storage } = await authorization();
  await connect(
    { type: "http", url: server.url, oauth: { clientId: "resource-client", clientSecret: "resource-secret" } },
    {
      authorization: {
        storage,
        crossAppAccess: {
          idToken: () => Promise.resolve("an-id-token"),
          identityProvider: { tokenEndpoint: `${provider.origin}/token`, clientId: "company-client" },
        },
      },
    },
  );
  expect(provider.requests).toMatchObject([
    {
      parameters: {
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
        requested_token_type: "urn:ietf:params:oauth:token-type:id-jag",
        subject_token: "an-id-token",
        subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
        audience: server.origin,
        resource: server.url,
        client_id: "company-client",
      },
    },
  ]);
  expect(server.requests.filter(({ path }) => path === "/token")).toMatchObject([
    {
      parameters: { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion: "an-assertion" },
      authorization: `Basic ${Buffer.from("resource-client:resource-secret").toString("base64")}`,
    },
  ]);
});

test.each<[string, object, RegExp]>([
  ["that knows no PKCE", { code_challenge_methods_supported: ["plain"] }, /PKCE/],
  ["that does not say whether it knows PKCE", { code_challenge_methods_supported: undefined }, /PKCE/],
  ["where clients cannot register", {}, /"oauth"\.clientId/],
  ["of another name", { issuer: "https://accounts.example" }, /accounts\.example/],
  ["that wants a token fetched without TLS", { token_endpoint: "http://accounts.example/token" }, /HTTPS/],
  ["that wants a browser sent to a file", { authorization_endpoint: "file:///etc/passwd" }, /HTTPS/],
])("an authorization server %s is refused before anything is sent to it", async (_, metadata, text) => {
  const origin = "https://mcp.example.com";
  const asHost =
    (route: Route): Route =>
    (request) =>
      route({ ...request, origin });
  const server = await startPlainServer({
    [RESOURCE]: asHost(resourceMetadata),
    [SERVER]: asHost(serverMetadata(metadata)),
  });
  const error = await failureOf(
    signIn(
      "far",
      { type: "http", url: `${origin}/mcp` },
      {
        // The plain server stands for a host with TLS.
        fetch: (input, init) => fetch(addressOf(input).replace(origin, server.origin), init),
        authorization: await authorization(),
      },
    ),
  );
  expect(error).toMatchObject({ code: "SIGN_IN_FAILED" });
  expect(error.message).toMatch(text);
  expect(server.requests.map(({ path }) => path)).toEqual([RESOURCE, SERVER]);
});

test("a client's metadata document that is no HTTPS address is refused", async () => {
  const metadata = serverMetadata({ client_id_metadata_document_supported: true });
  const { url } = await startPlainServer({ [RESOURCE]: resourceMetadata, [SERVER]: metadata });
  const error = await failureOf(
    signIn(
      "near",
      { type: "http", url },
      { authorization: { ...(await authorization()), clientMetadataUrl: "http://client.example/metadata.json" } },
    ),
  );
  expect(error.message).toContain("http://client.example/metadata.json");
});
