import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

import { expect, onTestFinished, test } from "vitest";

import { verifies } from "../../../../tooling/test-support/verifies.mjs";
import { callTool, connectToServer, createKeyvCredentialStorage, type CredentialRecord } from "../../src/index.ts";
import { bundleHost } from "../support/host-bundle.ts";
import { connect, failureOf } from "../support/scripted.ts";
import { addressOf, signInByBrowser } from "./support/browser.ts";
import { type SignInFixture, startSignedIn, storedToken, withoutStream } from "./support/sign-in-fixture.ts";

const HOUR = 3_600_000;

/** Makes the stored access token one that the authorization server no longer knows. */
async function endToken(fixture: SignInFixture): Promise<string> {
  const token = await storedToken(fixture);
  await (await fixture.authorizationServer.findToken(token))?.destroy();
  return token;
}

test("a token is renewed a minute before its end, and no request is refused for it", async () => {
  const { authorizationServer, config, resourceServer, storage } = await startSignedIn();
  const ends = (await storage.read(config.url))?.tokens?.expiresAt ?? 0;
  let now = ends - 61_000;
  const connection = await connect(config, { authorization: { storage, now: () => now } });
  expect(authorizationServer.granted).toEqual(["authorization_code"]);
  now = ends - 60_000;
  await callTool(connection, "read", {});
  await callTool(connection, "read", {});
  expect(authorizationServer.granted).toEqual(["authorization_code", "refresh_token"]);
  expect(resourceServer.answers.filter(({ status }) => status === 401)).toEqual([]);
});

test(verifies("X05", "five requests that are refused at once make one refresh"), async () => {
  const fixture = await startSignedIn();
  const { authorizationServer, config, resourceServer, storage } = fixture;
  withoutStream(resourceServer);
  const connection = await connect(config, { authorization: { storage } });
  const ended = await endToken(fixture);
  const results = await Promise.all(Array.from({ length: 5 }, () => callTool(connection, "read", {})));
  expect(results.map(({ isError }) => isError)).toEqual([false, false, false, false, false]);
  expect(authorizationServer.granted).toEqual(["authorization_code", "refresh_token"]);
  expect(resourceServer.answers.filter(({ status }) => status === 401)).toHaveLength(5);
  expect(await storedToken(fixture)).not.toBe(ended);
});

test(verifies("X05", "two processes that find a token ended make one refresh"), async () => {
  const { authorizationServer, config, directory } = await startSignedIn();
  const program = await bundleHost("signed-in-host");
  onTestFinished(() => program.remove());
  const children = await Promise.all(
    [1, 2].map(async () => {
      const child = fork(program.path, [config.url, directory], { silent: true });
      onTestFinished(() => void child.kill("SIGKILL"));
      const output = collect(child);
      await output.line();
      return { child, output };
    }),
  );
  for (const { child } of children) child.stdin?.write("go\n");
  for (const { output } of children) expect(await output.line()).toContain("was read");
  expect(authorizationServer.granted).toEqual(["authorization_code", "refresh_token"]);
});

test("a token that another process has renewed is taken as it is", async () => {
  const fixture = await startSignedIn();
  const { authorizationServer, config, storage } = fixture;
  const [one, other] = [
    await connect(config, { authorization: { storage } }),
    await connect(config, { authorization: { storage } }),
  ];
  await endToken(fixture);
  await callTool(one, "read", {});
  await callTool(other, "read", {});
  expect(authorizationServer.granted).toEqual(["authorization_code", "refresh_token"]);
});

test(verifies("X05", "a token that was renewed while the lock was waited for is taken as it is"), async () => {
  const fixture = await startSignedIn();
  const { authorizationServer, config, storage } = fixture;
  const other = await connect(config, { authorization: { storage } });
  const connection = await connect(config, {
    authorization: {
      storage: {
        read: (key) => storage.read(key),
        delete: (key) => storage.delete(key),
        update: async (key, change) => {
          // Another process gets the lock first.
          await callTool(other, "read", {});
          return storage.update(key, change);
        },
      },
    },
  });
  await endToken(fixture);
  expect(await callTool(connection, "read", {})).toMatchObject({ isError: false });
  expect(authorizationServer.granted).toEqual(["authorization_code", "refresh_token"]);
});

test("who loses a refresh in a store without a lock takes what the winner has written", async () => {
  const fixture = await startSignedIn();
  const { authorizationServer, config } = fixture;
  const signedIn = await fixture.storage.read(config.url);
  let stored: unknown = signedIn;
  const gates: (() => void)[] = [];
  /** One process's view of a store that both share. */
  const storage = () =>
    createKeyvCredentialStorage({
      get: () => Promise.resolve(structuredClone(stored)),
      set: (_, value) => {
        stored = structuredClone(value);
        for (const open of gates) open();
        return Promise.resolve();
      },
      delete: () => Promise.resolve((stored = undefined)),
    });
  const later = () => Date.now() + 24 * HOUR;
  const written = new Promise<void>((resolve) => gates.push(resolve));
  // The loser's refresh token is refused once the winner's is stored.
  const beaten: typeof fetch = async (input, init) => {
    if (!addressOf(input).endsWith("/token")) return fetch(input, init);
    await written;
    return Response.json({ error: "invalid_grant" }, { status: 400 });
  };
  const [loser, winner] = await Promise.all([
    connect(config, { authorization: { storage: storage(), now: later }, fetch: beaten }),
    connect(config, { authorization: { storage: storage(), now: later } }),
  ]);
  expect(await callTool(winner, "read", {})).toMatchObject({ isError: false });
  expect(await callTool(loser, "read", {})).toMatchObject({ isError: false });
  expect(authorizationServer.granted).toEqual(["authorization_code", "refresh_token"]);
  expect((stored as CredentialRecord).tokens?.accessToken).not.toBe(signedIn?.tokens?.accessToken);
});

test("a refresh token that is refused is forgotten, and a person is asked again", async () => {
  const fixture = await startSignedIn();
  const { authorizationServer, config, storage } = fixture;
  const refreshToken = (await storage.read(config.url))?.tokens?.refreshToken ?? "";
  await (await authorizationServer.provider.RefreshToken.find(refreshToken))?.destroy();
  await endToken(fixture);
  expect(await failureOf(connectToServer("guarded", config, { authorization: { storage } }))).toMatchObject({
    code: "AUTH_REQUIRED",
    data: { status: 401 },
  });
  const record = await storage.read(config.url);
  expect(record?.tokens).toBeUndefined();
  expect(record?.client).toBeDefined();
  const connection = await connect(config, { authorization: { storage, onAuthorizationUrl: signInByBrowser } });
  expect(await callTool(connection, "read", {})).toMatchObject({ isError: false });
});

test("an authorization server in trouble takes no token away", async () => {
  const fixture = await startSignedIn();
  const { config, storage } = fixture;
  const before = await storage.read(config.url);
  await endToken(fixture);
  const troubled: typeof fetch = (input, init) =>
    addressOf(input).endsWith("/token")
      ? Promise.resolve(new Response("overloaded, access_token=abcdefgh", { status: 503 }))
      : fetch(input, init);
  const error = await failureOf(connectToServer("guarded", config, { authorization: { storage }, fetch: troubled }));
  expect(error).toMatchObject({ code: "SIGN_IN_FAILED" });
  expect(error.message).toContain("503");
  expect(error.message).not.toContain("abcdefgh");
  expect(await storage.read(config.url)).toEqual(before);
});

test("a server that refuses every token is asked twice, not for ever", async () => {
  const { authorizationServer, config, resourceServer, storage } = await startSignedIn();
  let refuses = false;
  let refused = 0;
  resourceServer.intercept = (request, response) => {
    // Its stream would be one more request at some time.
    if (request.method === "GET") response.writeHead(405).end();
    else if (refuses) response.writeHead(401, { "www-authenticate": "Bearer" }).end();
    else return false;
    if (request.method === "POST") refused += 1;
    return true;
  };
  const connection = await connect(config, { authorization: { storage } });
  refuses = true;
  for (let call = 0; call < 3; call += 1) {
    expect(await failureOf(callTool(connection, "read", {}))).toMatchObject({ code: "AUTH_REQUIRED" });
  }
  // The first call renews the token; that the new one is refused too is known afterwards.
  expect(authorizationServer.granted).toEqual(["authorization_code", "refresh_token"]);
  expect(refused).toBe(4);
});

/** Reads a child's output line by line. */
function collect(child: ChildProcess): { line(): Promise<string> } {
  const lines: string[] = [];
  let rest = "";
  let errors = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
    child.emit("line");
  });
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => (errors += chunk));
  child.once("exit", () => child.emit("line"));
  return {
    line: async () => {
      while (lines.length === 0) {
        if (child.exitCode !== null) throw new Error(errors);
        await once(child, "line");
      }
      return lines.shift() ?? "";
    },
  };
}
