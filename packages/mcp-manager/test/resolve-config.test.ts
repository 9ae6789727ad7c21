import { homedir, tmpdir } from "node:os";

import type { Logger, MCPServerConfig, SourceMeta } from "@toolgate/contracts";
import { silentLogger } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { verifies } from "../../../tooling/test-support/verifies.mjs";
import type { ResolveContext } from "../src/resolve-config.ts";
import { resolveServerConfig } from "../src/resolve-config.ts";

const print = (text: string): string =>
  `!${JSON.stringify(process.execPath)} -p ${JSON.stringify(JSON.stringify(text))}`;

test(verifies("L22", "!command values of env and headers become what the command prints"), async () => {
  const stdio = await resolveServerConfig(
    { command: "x", env: { TOKEN: print("from-the-shell"), PLAIN: "as it is", BANG: "!" } },
    context(),
  );
  expect(stdio).toEqual({ command: "x", env: { TOKEN: "from-the-shell", PLAIN: "as it is", BANG: "!" } });
  const http = await resolveServerConfig(
    { type: "http", url: "http://localhost/", headers: { "x-key": print("k") } },
    context(),
  );
  expect(http).toMatchObject({ headers: { "x-key": "k" } });
});

test(verifies("L22", "commands of project files are never run"), async () => {
  const warnings: string[] = [];
  const logger: Logger = { ...silentLogger, warn: (message) => warnings.push(message) };
  const config: MCPServerConfig = { command: "x", env: { TOKEN: print("no") } };
  expect(await resolveServerConfig(config, context({ source: sourceOf("project"), logger }))).toEqual(config);
  expect(warnings).toEqual([expect.stringContaining("env.TOKEN")]);
});

test("a command that fails is that server's error, with field, file, exit code and stderr, and without the command", async () => {
  const script = "console.error('vault is locked'); process.exit(7)";
  const failing = resolveServerConfig(
    { command: "x", env: { TOKEN: `!${JSON.stringify(process.execPath)} -e ${JSON.stringify(script)}` } },
    context({ source: sourceOf("user") }),
  );
  await expect(failing).rejects.toMatchObject({
    code: "SUBSTITUTION_FAILED",
    server: "vault",
    message: expect.stringMatching(/env\.TOKEN in \/u\/mcp\.json .*exited with 7: vault is locked/),
  });
  await expect(failing).rejects.not.toMatchObject({ message: expect.stringContaining("process.exit") });
});

test("a disconnect ends a command that hangs", async () => {
  const controller = new AbortController();
  const hanging = `!${JSON.stringify(process.execPath)} -e "setInterval(() => {}, 1000)"`;
  const resolving = resolveServerConfig({ command: "x", env: { T: hanging } }, context({ signal: controller.signal }));
  controller.abort(new Error("closed"));
  await expect(resolving).rejects.toMatchObject({ code: "SUBSTITUTION_FAILED" });
});

test(verifies("L22", "a remote server without a credential gets the stored one, and only such a server"), async () => {
  const asked: string[] = [];
  const authStorage = {
    getToken: ({ server }: { server: string }): string => {
      asked.push(server);
      return "stored";
    },
  };
  const bare = await resolveServerConfig({ type: "http", url: "http://localhost/" }, context({ authStorage }));
  expect(bare.auth).toEqual({ type: "bearer", token: "stored" });
  const headers = { Authorization: "Basic abc" };
  expect(
    await resolveServerConfig({ type: "http", url: "http://localhost/", headers }, context({ authStorage })),
  ).not.toHaveProperty("auth");
  await resolveServerConfig({ command: "x" }, context({ authStorage }));
  expect(asked).toEqual(["vault"]);
});

function context(overrides: Partial<ResolveContext> = {}): ResolveContext {
  return {
    name: "vault",
    source: undefined,
    cwd: tmpdir(),
    env: { PATH: process.env["PATH"], HOME: homedir() },
    signal: new AbortController().signal,
    logger: silentLogger,
    authStorage: undefined,
    ...overrides,
  };
}

function sourceOf(level: SourceMeta["level"]): SourceMeta {
  return { provider: "p", providerName: "P", path: "/u/mcp.json", level };
}
