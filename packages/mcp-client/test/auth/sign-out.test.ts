import { readdir } from "node:fs/promises";

import { expect, test } from "vitest";

import { verifies } from "../../../../tooling/test-support/verifies.mjs";
import { connectToServer, signIn, signOut } from "../../src/index.ts";
import { serveLoopback } from "../support/loopback.ts";
import { failureOf } from "../support/scripted.ts";
import { addressOf } from "./support/browser.ts";
import { startServers, startSignedIn, storedToken } from "./support/sign-in-fixture.ts";

test(verifies("X05", "signing out revokes both tokens and deletes the record"), async () => {
  const fixture = await startSignedIn();
  const { authorizationServer, config, directory, storage } = fixture;
  const accessToken = await storedToken(fixture);
  const refreshToken = (await storage.read(config.url))?.tokens?.refreshToken ?? "";
  expect(await signOut("guarded", config, { authorization: { storage } })).toEqual({ revoked: true });
  expect(await authorizationServer.findToken(accessToken)).toBeUndefined();
  expect(await authorizationServer.provider.RefreshToken.find(refreshToken)).toBeUndefined();
  expect(await readdir(directory)).toEqual([]);
  expect(await failureOf(connectToServer("guarded", config, { authorization: { storage } }))).toMatchObject({
    code: "AUTH_REQUIRED",
  });
});

test("signing out where nobody is signed in does nothing", async () => {
  const { config, storage } = await startServers();
  expect(await signOut("guarded", config, { authorization: { storage } })).toEqual({ revoked: false });
});

test("an authorization server that cannot be told does not keep the record alive", async () => {
  const { config, directory, storage } = await startSignedIn();
  const fetch: typeof globalThis.fetch = (input, init) =>
    addressOf(input).includes("revocation")
      ? Promise.resolve(new Response("no", { status: 503 }))
      : globalThis.fetch(input, init);
  const { reason, revoked } = await signOut("guarded", config, { authorization: { storage }, fetch });
  expect(revoked).toBe(false);
  expect(reason).toContain("503");
  expect(await readdir(directory)).toEqual([]);
});

test("servers that are local, have a credential of their own or want none are not signed in to", async () => {
  const { storage } = await startServers();
  const options = { authorization: { storage, onAuthorizationUrl: () => {} } };
  for (const entry of [{ url: "https://ada:secret@example.com/" }, { auth: { type: "bearer", token: "t" } as const }]) {
    const config = { type: "http", url: "https://example.com/", ...entry } as const;
    expect(await failureOf(signIn("own", config, options))).toMatchObject({ code: "CONFIG_INVALID" });
  }
  expect(await failureOf(signIn("local", { command: "node" }, options))).toMatchObject({ code: "CONFIG_INVALID" });
  const { url } = await serveLoopback((_, response) => response.writeHead(404).end());
  expect(await failureOf(signIn("open", { type: "http", url }, options))).toMatchObject({ code: "SIGN_IN_FAILED" });
});
