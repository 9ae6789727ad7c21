import { generateKeyPairSync } from "node:crypto";

import { expect, test } from "vitest";

import { verifies } from "../../../../tooling/test-support/verifies.mjs";
import { callTool, connectToServer } from "../../src/index.ts";
import { connect, failureOf } from "../support/scripted.ts";
import { SECRET_CLIENT, startAuthorizationServer } from "./support/authorization-server.ts";
import { startResourceServer } from "./support/resource-server.ts";
import { startServers, storedToken } from "./support/sign-in-fixture.ts";

const credentials = { method: "client_secret_basic", ...SECRET_CLIENT } as const;

test(
  verifies("X05", "a program signs in with its client's secret, asks for more scopes, and renews by itself"),
  async () => {
    const fixture = await startServers();
    const { authorizationServer, config, storage } = fixture;
    const authorization = { storage, clientCredentials: credentials };
    const connection = await connect(config, { authorization });
    expect(await callTool(connection, "read", {})).toMatchObject({ isError: false });
    expect(await callTool(connection, "write", {})).toMatchObject({ isError: false });
    expect(authorizationServer.granted).toEqual(["client_credentials", "client_credentials"]);
    await (await authorizationServer.findToken(await storedToken(fixture)))?.destroy();
    expect(await callTool(connection, "read", {})).toMatchObject({ isError: false });
    await connect(config, { authorization });
    expect(authorizationServer.granted).toHaveLength(3);
  },
);

test("a program signs in with a signed assertion", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const client = {
    client_id: "signer",
    grant_types: ["client_credentials"],
    redirect_uris: [],
    response_types: [],
    token_endpoint_auth_method: "private_key_jwt",
    token_endpoint_auth_signing_alg: "ES256",
    jwks: { keys: [publicKey.export({ format: "jwk" })] },
  };
  const authorizationServer = await startAuthorizationServer([client]);
  const { url } = await startResourceServer(authorizationServer);
  const { storage } = await startServers();
  const connection = await connect(
    { type: "http", url },
    {
      authorization: {
        storage,
        clientCredentials: {
          method: "private_key_jwt",
          clientId: "signer",
          privateKey: privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
          algorithm: "ES256",
        },
      },
    },
  );
  expect(await callTool(connection, "read", {})).toMatchObject({ isError: false });
});

test("credentials that are refused are told, without the secret", async () => {
  const { config, storage } = await startServers();
  const wrong = { ...credentials, clientSecret: "wrong-and-secret" };
  const error = await failureOf(
    connectToServer("guarded", config, { authorization: { storage, clientCredentials: wrong } }),
  );
  expect(error).toMatchObject({ code: "SIGN_IN_FAILED" });
  expect(error.message).toContain("invalid_client");
  expect(error.message).not.toContain("wrong-and-secret");
});

test("credentials go to the authorization server that they are for, whatever a server says", async () => {
  const { authorizationServer, config, storage } = await startServers();
  const elsewhere = { ...credentials, issuer: "https://accounts.example" };
  const error = await failureOf(
    connectToServer("guarded", config, { authorization: { storage, clientCredentials: elsewhere } }),
  );
  expect(error).toMatchObject({ code: "SIGN_IN_FAILED" });
  expect(error.message).toContain("https://accounts.example");
  expect(authorizationServer.paths).not.toContain("/token");
  // Used once, they stay with the authorization server that they were used at.
  await connect(config, { authorization: { storage, clientCredentials: credentials } });
  await storage.update(config.url, (current) => {
    if (current === undefined) return undefined;
    const { tokens: _, ...rest } = current;
    return { ...rest, issuer: "https://accounts.example" };
  });
  const moved = await failureOf(
    connectToServer("guarded", config, { authorization: { storage, clientCredentials: credentials } }),
  );
  expect(moved.message).toContain("https://accounts.example");
});
