import { EventEmitter, once } from "node:events";

import { expect, test } from "vitest";

import { verifies } from "../../../../tooling/test-support/verifies.mjs";
import { callTool, connectToServer } from "../../src/index.ts";
import { connect, failureOf } from "../support/scripted.ts";
import { signInByBrowser } from "./support/browser.ts";
import { memoryStorage, startServers, startSignedIn } from "./support/sign-in-fixture.ts";

test(verifies("X05", "a call that needs more scopes signs in for them, and keeps those there were"), async () => {
  const { authorizationServer, config, resourceServer, storage } = await startSignedIn();
  const connection = await connect(config, { authorization: { storage, onAuthorizationUrl: signInByBrowser } });
  const results = await Promise.all([callTool(connection, "write", {}), callTool(connection, "write", {})]);
  expect(results).toMatchObject([{ content: [{ text: "was written" }] }, { content: [{ text: "was written" }] }]);
  expect((await storage.read(config.url))?.tokens?.scope?.split(" ")).toEqual(
    expect.arrayContaining(["tools:read", "tools:write"]),
  );
  expect(authorizationServer.granted).toEqual(["authorization_code", "authorization_code"]);
  expect(resourceServer.answers.filter(({ status }) => status === 403)).toHaveLength(2);
});

test("without a way to ask a person, a call that needs more scopes says which", async () => {
  const { config, storage } = await startSignedIn();
  const connection = await connect(config, { authorization: { storage } });
  const error = await failureOf(callTool(connection, "write", {}));
  expect(error).toMatchObject({ code: "AUTH_REQUIRED", data: { status: 403, scopes: ["tools:write"] } });
  expect(error.message).toContain("tools:write");
  expect(await callTool(connection, "read", {})).toMatchObject({ isError: false });
});

test("a sign-in that a call waits for ends with its connection", async () => {
  const { config, storage: files } = await startSignedIn();
  const signedIn = await files.read(config.url);
  // What a sign-in still does when its connection is closed is done here, not in files that are being removed.
  const storage = memoryStorage();
  await storage.update(config.url, () => signedIn);
  const asked = new EventEmitter();
  const isAsked = once(asked, "signal") as Promise<[AbortSignal]>;
  const connection = await connect(config, {
    authorization: {
      storage,
      onAuthorizationUrl: () => {},
      readCallback: ({ signal }) => {
        asked.emit("signal", signal);
        return new Promise(() => {});
      },
    },
  });
  const call = failureOf(callTool(connection, "write", {}));
  const [signal] = await isAsked;
  const isOver = once(signal, "abort");
  await connection.close();
  expect(await call).toMatchObject({ code: "CLOSED" });
  await isOver;
});

test("a server that is never content with its scopes asks a person once", async () => {
  const { authorizationServer, config, resourceServer, storage } = await startSignedIn();
  resourceServer.intercept = (_, response, body) => {
    if (!body.includes("tools/call")) return false;
    response.writeHead(403, { "www-authenticate": 'Bearer error="insufficient_scope", scope="tools:write"' }).end();
    return true;
  };
  const connection = await connect(config, { authorization: { storage, onAuthorizationUrl: signInByBrowser } });
  for (let call = 0; call < 3; call += 1) {
    expect(await failureOf(callTool(connection, "read", {}))).toMatchObject({ code: "AUTH_REQUIRED" });
  }
  expect(authorizationServer.granted).toEqual(["authorization_code", "authorization_code"]);
});

test("a server that refuses each new sign-in while connecting is given up after the first", async () => {
  const { authorizationServer, config, resourceServer, storage } = await startServers();
  resourceServer.intercept = (request, response) => {
    if (request.url !== "/mcp") return false;
    response.writeHead(401, { "www-authenticate": "Bearer" }).end();
    return true;
  };
  const options = { authorization: { storage, onAuthorizationUrl: signInByBrowser } };
  expect(await failureOf(connectToServer("guarded", config, options))).toMatchObject({ code: "AUTH_REQUIRED" });
  expect(authorizationServer.granted.filter((grant) => grant === "authorization_code")).toHaveLength(1);
});
