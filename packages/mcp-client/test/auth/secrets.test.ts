import { inspect } from "node:util";

import { expect, test } from "vitest";

import { verifies } from "../../../../tooling/test-support/verifies.mjs";
import { callTool, connectToServer, signIn } from "../../src/index.ts";
import { serveLoopback } from "../support/loopback.ts";
import { connect, failureOf } from "../support/scripted.ts";
import { addressOf, Browser, signInByBrowser } from "./support/browser.ts";
import { startServers, startSignedIn, storedToken } from "./support/sign-in-fixture.ts";

/** All that can be seen of an error: its message, stack, data and causes. */
function show(error: unknown): string {
  return inspect(error, { depth: 20, showHidden: true, maxStringLength: Infinity });
}

test(verifies("X05", "a token that a server repeats is in no error and no log"), async () => {
  const fixture = await startSignedIn();
  const { config, resourceServer, storage } = fixture;
  const token = await storedToken(fixture);
  const refreshToken = (await storage.read(config.url))?.tokens?.refreshToken ?? "";
  const logged: string[] = [];
  const log = (message: string, data?: unknown) => void logged.push(message, show(data));
  const logger = { debug: log, info: log, warn: log, error: log };
  const connection = await connect(config, { authorization: { storage }, logger });
  const errors: unknown[] = [];
  for (const status of [200, 401, 403, 500]) {
    resourceServer.intercept = (request, response, body) => {
      const { authorization = "" } = request.headers;
      const id = body === "" ? 0 : (JSON.parse(body) as { id?: number }).id;
      const error = { code: -32_000, message: `who is ${authorization}?`, data: { [authorization]: authorization } };
      response.writeHead(status, { "content-type": "application/json", "www-authenticate": "Bearer" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, error }));
      return true;
    };
    errors.push(await failureOf(callTool(connection, "read", {})));
  }
  const renewed = await storedToken(fixture);
  expect(errors).toMatchObject([
    { code: "SERVER_ERROR" },
    { code: "AUTH_REQUIRED" },
    { code: "AUTH_REQUIRED" },
    { code: "HTTP_STATUS" },
  ]);
  expect(errors.map(String).join()).toContain("***");
  for (const secret of [token, refreshToken, renewed]) {
    expect([...errors.map(show), ...logged].join("\n")).not.toContain(secret);
  }
  expect(show(connection)).not.toContain(token);
});

test(verifies("X05", "a code and a verifier that an authorization server repeats are in no error"), async () => {
  const { config, storage } = await startServers();
  let code = "";
  let verifier = "";
  const error = await failureOf(
    signIn("guarded", config, {
      fetch: (input, init) => {
        if (!addressOf(input).endsWith("/token")) return fetch(input, init);
        const sent = init?.body as URLSearchParams;
        verifier = sent.get("code_verifier") ?? "";
        const answer = {
          error: "invalid_grant",
          error_description: `not good: ${sent.toString()} ${verifier} ${code}`,
        };
        return Promise.resolve(Response.json(answer, { status: 400 }));
      },
      authorization: {
        storage,
        onAuthorizationUrl: async (url) => {
          const callback = await new Browser().signIn(url);
          code = callback.searchParams.get("code") ?? "";
          await fetch(callback);
        },
      },
    }),
  );
  expect(error).toMatchObject({ code: "SIGN_IN_FAILED" });
  expect(error.message).toContain("invalid_grant");
  expect(code.length).toBeGreaterThan(10);
  expect(verifier.length).toBeGreaterThan(10);
  expect(show(error)).not.toContain(code);
  expect(show(error)).not.toContain(verifier);
});

test("a redirect to another origin does not take the token along", async () => {
  const { config, resourceServer, storage } = await startSignedIn();
  const elsewhere = await serveLoopback((_, response) => response.writeHead(200).end("{}"));
  const connection = await connect(config, { authorization: { storage } });
  resourceServer.intercept = (_, response) => {
    response.writeHead(307, { location: elsewhere.url }).end();
    return true;
  };
  await failureOf(callTool(connection, "read", {}));
  const modern = { ...config, protocol: "modern" } as const;
  await failureOf(connectToServer("guarded", modern, { authorization: { storage } }));
  expect(elsewhere.seen.map(({ headers }) => headers.authorization).filter(Boolean)).toEqual([]);
});

test("an entry with a credential of its own sends that, and nobody is asked", async () => {
  const fixture = await startSignedIn();
  const { config, resourceServer, storage } = fixture;
  let asked = 0;
  const authorization = { storage, onAuthorizationUrl: () => void (asked += 1) };
  const own = { auth: { type: "bearer", token: "fixed-token" } } as const;
  for (const extra of [own, { headers: { AUTHORIZATION: "Bearer fixed-token" } }]) {
    const error = await failureOf(connectToServer("guarded", { ...config, ...extra }, { authorization }));
    expect(error).toMatchObject({ code: "AUTH_REQUIRED" });
  }
  expect(new Set(resourceServer.answers.map(({ token }) => token))).toEqual(new Set(["fixed-token"]));
  expect(asked).toBe(0);
});

test("a record is used for its own server only", async () => {
  const one = await startSignedIn();
  const other = await startServers();
  const record = await one.storage.read(one.config.url);
  if (record === undefined) throw new Error("nobody is signed in");
  await one.storage.update(other.config.url, () => record);
  await failureOf(connectToServer("guarded", other.config, { authorization: { storage: one.storage } }));
  expect(other.resourceServer.answers).toMatchObject([{ status: 401, token: undefined }]);
});

test.each(["http", "sse"] as const)(
  "every request of a connection (%s) has the token, also GET and DELETE",
  async (type) => {
    const fixture = await startSignedIn();
    const { config, resourceServer, storage } = fixture;
    const token = await storedToken(fixture);
    const seen: [string, string | undefined][] = [];
    let streamed = () => {};
    const stream = new Promise<void>((resolve) => (streamed = resolve));
    resourceServer.intercept = (request) => {
      seen.push([request.method ?? "", request.headers.authorization]);
      if (request.method === "GET") streamed();
      return false;
    };
    const connecting = connectToServer("guarded", { ...config, type }, { authorization: { storage } });
    if (type === "sse") {
      // This server has no such stream; what matters is what it was asked with.
      await failureOf(connecting);
    } else {
      const connection = await connecting;
      await stream;
      await connection.close();
      expect(seen.map(([method]) => method)).toContain("DELETE");
    }
    expect(seen.map(([method]) => method)).toContain("GET");
    expect(new Set(seen.map(([, header]) => header))).toEqual(new Set([`Bearer ${token}`]));
  },
);

test("a person is asked in the server's name, with an address that holds no secret", async () => {
  const { authorizationServer, config, storage } = await startServers();
  const asked: unknown[] = [];
  await signIn("guarded", config, {
    authorization: {
      storage,
      onAuthorizationUrl: async (url, context) => {
        asked.push(new URL(url).origin, context);
        await signInByBrowser(url);
      },
    },
  });
  expect(asked).toMatchObject([authorizationServer.issuer, { server: "guarded" }]);
});
