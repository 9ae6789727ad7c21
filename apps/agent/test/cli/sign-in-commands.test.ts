import { expect, test } from "vitest";

import { signInByBrowser } from "../../../../packages/mcp-client/test/auth/support/browser.ts";
import { startServers } from "../../../../packages/mcp-client/test/auth/support/sign-in-fixture.ts";
import { endOf, runToolgate, startToolgate } from "../support/run-toolgate.ts";
import { createScratch } from "../support/scratch.ts";
import type { Scratch } from "../support/scratch.ts";

/** Runs `mcp auth`, and goes with a browser to the address that it shows. */
async function signInWithBrowser(scratch: Scratch, words: readonly string[]): ReturnType<typeof runToolgate> {
  const child = startToolgate(scratch, words);
  child.stdin.end();
  const ended = endOf(child);
  let stderr = "";
  let visited: Promise<void> | undefined;
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
    const [, address] = /^ {2}(http\S+)\n/m.exec(stderr) ?? [];
    if (address !== undefined) visited ??= signInByBrowser(address);
  });
  const result = await ended;
  await visited;
  return result;
}

test("a server is signed in to by `mcp auth`, used by every later command, and left by `mcp logout`", async () => {
  await using scratch = await createScratch();
  const { config, authorizationServer } = await startServers();
  await scratch.userServers({ guarded: { entry: config } });

  const before = await runToolgate(scratch, ["mcp", "list", "--json"]);
  expect(before.json()).toMatchObject({ servers: [{ name: "guarded", status: "needs-auth" }] });
  expect(before.status).toBe(0);
  expect((await runToolgate(scratch, ["mcp", "tools", "guarded"])).status).toBe(4);

  const signedIn = await signInWithBrowser(scratch, ["mcp", "auth", "guarded", "--json"]);
  expect(signedIn.json()).toMatchObject({ name: "guarded", issuer: authorizationServer.issuer });
  expect(signedIn.status).toBe(0);
  expect((await runToolgate(scratch, ["mcp", "list", "--json"])).json()).toMatchObject({
    servers: [{ name: "guarded", status: "connected" }],
  });

  const signedOut = await runToolgate(scratch, ["mcp", "logout", "guarded", "--json"]);
  expect(signedOut.json()).toEqual({ name: "guarded", revoked: true });
  expect((await runToolgate(scratch, ["mcp", "tools", "guarded"])).status).toBe(4);
});

test("a server of the project is not signed in to before it is approved, and gets no token of the user's", async () => {
  await using scratch = await createScratch();
  const { config, resourceServer } = await startServers();
  await scratch.userServers({ mine: { entry: config } });
  expect((await signInWithBrowser(scratch, ["mcp", "auth", "mine"])).status).toBe(0);
  await scratch.projectServers({ theirs: { entry: { ...config, headers: { "X-From": "project" } } } });
  resourceServer.answers.length = 0;
  const refused = await runToolgate(scratch, ["mcp", "auth", "theirs"]);
  expect(refused.status).toBe(4);
  expect(refused.stderr).toContain("toolgate mcp trust theirs");
  expect((await runToolgate(scratch, ["mcp", "tools", "theirs"])).status).toBe(4);
  expect(resourceServer.answers).toEqual([]);
});
