import { createServer } from "node:net";
import type { AddressInfo } from "node:net";

import { expect, test } from "vitest";

import { verifies } from "../../../../tooling/test-support/verifies.mjs";
import { systemClock } from "../../src/connection/clock.ts";
import { callTool, connectToServer, signIn } from "../../src/index.ts";
import { connect, failureOf } from "../support/scripted.ts";
import { SECRET_CLIENT, startAuthorizationServer } from "./support/authorization-server.ts";
import { Browser, signInByBrowser } from "./support/browser.ts";
import { startResourceServer } from "./support/resource-server.ts";
import { memoryStorage, startServers } from "./support/sign-in-fixture.ts";

async function isFree(redirectUrl: string): Promise<boolean> {
  const server = createServer();
  const { port } = new URL(redirectUrl);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(Number(port), "127.0.0.1", resolve);
    });
    return true;
  } catch {
    return false;
  } finally {
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
}

test(verifies("X05", "a person signs in by the loopback redirect, and the next connect asks nobody"), async () => {
  const { authorizationServer, config, resourceServer, storage } = await startServers();
  let redirect = "";
  const connection = await connect(config, {
    authorization: {
      storage,
      onAuthorizationUrl: async (url, { redirectUrl }) => {
        redirect = redirectUrl;
        await signInByBrowser(url);
      },
    },
  });
  expect(await callTool(connection, "read", {})).toMatchObject({ content: [{ text: "was read" }] });
  expect(await isFree(redirect)).toBe(true);
  const again = await connect(config, { authorization: { storage } });
  expect(await callTool(again, "read", {})).toMatchObject({ isError: false });
  expect(authorizationServer.granted).toEqual(["authorization_code"]);
  expect(authorizationServer.paths.filter((path) => path === "/reg")).toHaveLength(1);
  // Registered with the resource, PKCE and the scopes that the server asked for.
  const asked = authorizationServer.paths.find((path) => path.startsWith("/auth?")) ?? "";
  expect(Object.fromEntries(new URL(asked, authorizationServer.issuer).searchParams)).toMatchObject({
    resource: resourceServer.url,
    code_challenge_method: "S256",
    scope: "tools:read offline_access",
  });
});

test("without a way to ask a person, a server that wants a sign-in is AUTH_REQUIRED and says what it wants", async () => {
  const { config, resourceServer, storage } = await startServers();
  for (const options of [{}, { authorization: { storage } }]) {
    const error = await failureOf(connectToServer("guarded", config, options));
    expect(error).toMatchObject({
      code: "AUTH_REQUIRED",
      data: {
        status: 401,
        scopes: ["tools:read"],
        resourceMetadataUrl: new URL("/.well-known/oauth-protected-resource/mcp", resourceServer.url).href,
      },
    });
    expect(error.message).toContain("toolgate mcp auth guarded");
  }
});

test.each(["the whole address", "the code alone"])("a person pastes %s", async (what) => {
  const { config, storage } = await startServers();
  let callback: URL | undefined;
  const options = {
    authorization: {
      storage,
      onAuthorizationUrl: async (url: string) => {
        callback = await new Browser().signIn(url);
      },
      readCallback: () =>
        Promise.resolve(what === "the code alone" ? (callback?.searchParams.get("code") ?? "") : `${callback?.href} `),
    },
  };
  if (what === "the code alone") {
    // This authorization server always says who it is (RFC 9207), which a code alone does not.
    expect((await failureOf(signIn("guarded", config, options))).message).toContain("whole address");
    return;
  }
  await signIn("guarded", config, options);
  const connection = await connect(config, { authorization: { storage } });
  expect(await callTool(connection, "read", {})).toMatchObject({ isError: false });
});

test("the answer to another sign-in does not end this one", async () => {
  const { config, storage } = await startServers();
  let refused = 0;
  await signIn("guarded", config, {
    authorization: {
      storage,
      onAuthorizationUrl: async (url) => {
        const callback = await new Browser().signIn(url);
        const forged = new URL(callback);
        forged.searchParams.set("state", "another");
        refused = (await fetch(forged)).status;
        await fetch(callback);
      },
    },
  });
  expect(refused).toBe(400);
  expect((await storage.read(config.url))?.tokens).toBeDefined();
});

test.each([
  ["state", "another", "another sign-in"],
  ["iss", "https://evil.example", "https://evil.example"],
  ["iss", "", "does not say who sent it"],
])("a pasted answer with a wrong %s is refused", async (parameter, value, text) => {
  const { authorizationServer, config, storage } = await startServers();
  let callback = "";
  const error = await failureOf(
    signIn("guarded", config, {
      authorization: {
        storage,
        onAuthorizationUrl: async (url) => {
          const forged = await new Browser().signIn(url);
          if (value === "") forged.searchParams.delete(parameter);
          else forged.searchParams.set(parameter, value);
          callback = forged.href;
        },
        readCallback: () => Promise.resolve(callback),
      },
    }),
  );
  expect(error).toMatchObject({ code: "SIGN_IN_FAILED" });
  expect(error.message).toContain(text);
  expect(error.message).not.toContain(new URL(callback).searchParams.get("code"));
  expect(authorizationServer.granted).toEqual([]);
  expect(await storage.read(config.url)).toBeUndefined();
});

test("what the person refuses is told in the authorization server's words", async () => {
  const { authorizationServer, config, storage } = await startServers();
  authorizationServer.refuseConsent = true;
  const error = await failureOf(
    connectToServer("guarded", config, { authorization: { storage, onAuthorizationUrl: signInByBrowser } }),
  );
  expect(error).toMatchObject({ code: "SIGN_IN_FAILED" });
  expect(error.message).toContain("access_denied (Ada said no)");
});

test("a sign-in that nobody finishes is given up, and its port is free", async () => {
  const { config, storage } = await startServers();
  let end = () => {};
  let redirect = "";
  const error = await failureOf(
    signIn("guarded", config, {
      clock: {
        ...systemClock,
        setTimeout: (callback, milliseconds) => {
          expect(milliseconds).toBe(1234);
          end = callback;
          return undefined;
        },
      },
      authorization: {
        storage,
        callbackTimeout: 1234,
        onAuthorizationUrl: (_, { redirectUrl }) => {
          redirect = redirectUrl;
          end();
        },
      },
    }),
  );
  expect(error).toMatchObject({ code: "SIGN_IN_FAILED" });
  expect(error.message).toContain("1234 ms");
  expect(await isFree(redirect)).toBe(true);
});

test("an abort ends a sign-in with an AbortError, and its port is free", async () => {
  const { config, storage } = await startServers();
  const controller = new AbortController();
  let redirect = "";
  const error = await failureOf(
    signIn("guarded", config, {
      signal: controller.signal,
      authorization: {
        storage,
        onAuthorizationUrl: (_, { redirectUrl }) => {
          redirect = redirectUrl;
          controller.abort(new Error("the user left"));
        },
      },
    }),
  );
  expect(error).toMatchObject({ name: "AbortError" });
  expect(await isFree(redirect)).toBe(true);
});

test("a client that was registered is used again, at another port when its own is taken", async () => {
  const { authorizationServer, config, storage } = await startServers();
  const redirects: string[] = [];
  const authorization = {
    storage,
    onAuthorizationUrl: async (url: string, { redirectUrl }: { redirectUrl: string }) => {
      redirects.push(redirectUrl);
      await signInByBrowser(url);
    },
  };
  const registrations = () => authorizationServer.paths.filter((path) => path === "/reg").length;
  await signIn("guarded", config, { authorization });
  await signIn("guarded", config, { authorization });
  expect(redirects[1]).toBe(redirects[0]);
  expect(registrations()).toBe(1);
  const squatter = createServer();
  await new Promise<void>((resolve) => {
    squatter.listen(Number(new URL(redirects[0] ?? "").port), "127.0.0.1", resolve);
  });
  await signIn("guarded", config, { authorization });
  squatter.close();
  expect(redirects[2]).not.toBe(redirects[0]);
  expect(registrations()).toBe(2);
});

test("after a sign-in that nobody finished, the client is registered anew: it may have been forgotten", async () => {
  const { authorizationServer, config, storage } = await startServers();
  const registrations = () => authorizationServer.paths.filter((path) => path === "/reg").length;
  await signIn("guarded", config, { authorization: { storage, onAuthorizationUrl: signInByBrowser } });
  const controller = new AbortController();
  const authorization = { storage, onAuthorizationUrl: () => controller.abort() };
  await failureOf(signIn("guarded", config, { signal: controller.signal, authorization }));
  expect(registrations()).toBe(1);
  expect(await connect(config, { authorization: { storage } })).toBeDefined();
  await signIn("guarded", config, { authorization: { storage, onAuthorizationUrl: signInByBrowser } });
  expect(registrations()).toBe(2);
});

test("the client and the port of the entry are used, and nothing is registered", async () => {
  const { authorizationServer, config, storage } = await startServers();
  const free = createServer();
  await new Promise<void>((resolve) => {
    free.listen(0, "127.0.0.1", resolve);
  });
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => {
    free.close(resolve);
  });
  let redirect = "";
  await signIn(
    "guarded",
    { ...config, oauth: { ...SECRET_CLIENT, scope: "tools:write", callbackPort: port } },
    {
      authorization: {
        storage,
        onAuthorizationUrl: async (url, { redirectUrl }) => {
          redirect = redirectUrl;
          await signInByBrowser(url);
        },
      },
    },
  );
  expect(redirect).toBe(`http://127.0.0.1:${port}/callback`);
  expect(authorizationServer.paths).not.toContain("/reg");
  expect((await storage.read(config.url))?.tokens?.scope).toContain("tools:write");
});

test("metadata of another issuer, or of another resource, ends the sign-in before anything is sent", async () => {
  const authorizationServer = await startAuthorizationServer();
  const storage = memoryStorage();
  const elsewhere = await startResourceServer(authorizationServer, { resource: "https://elsewhere.example/mcp" });
  // The authorization server calls itself by its address, not by this name.
  const issuer = authorizationServer.issuer.replace("127.0.0.1", "localhost");
  const impostor = await startResourceServer({ ...authorizationServer, issuer });
  for (const { url } of [elsewhere, impostor]) {
    const error = await failureOf(
      connectToServer(
        "guarded",
        { type: "http", url },
        { authorization: { storage, onAuthorizationUrl: signInByBrowser } },
      ),
    );
    expect(error).toMatchObject({ code: "SIGN_IN_FAILED" });
    expect(error.message).toMatch(/another (?:resource|one)/);
  }
  expect(authorizationServer.paths).not.toContain("/reg");
});

test("a sign-in in a Keyv-like store is found again", async () => {
  const { config } = await startServers();
  const storage = memoryStorage();
  await signIn("guarded", config, { authorization: { storage, onAuthorizationUrl: signInByBrowser } });
  const connection = await connect(config, { authorization: { storage } });
  expect(await callTool(connection, "read", {})).toMatchObject({ isError: false });
});
