import { execFileSync } from "node:child_process";

import { expect, test } from "vitest";

import { runDoctor } from "../../support/run-doctor.ts";
import type { Scratch } from "../../support/scratch.ts";
import { createScratch } from "../../support/scratch.ts";

// Put together here, so that nobody's scanner takes them for real ones.
const TOKEN = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2"].join("_");
const PASSWORD = "correct7horse";

function git(scratch: Scratch, ...words: string[]): void {
  const env = { PATH: process.env["PATH"], HOME: scratch.home, GIT_CONFIG_NOSYSTEM: "1" };
  execFileSync("git", words, { cwd: scratch.project, env, stdio: "ignore" });
}

async function withSecret(scratch: Scratch): Promise<string> {
  return scratch.projectServers({ a: { entry: { command: "node", env: { GITHUB_TOKEN: TOKEN } } } });
}

test("a plain secret in a file that git tracks is a warning with its line, and never shown", async () => {
  await using scratch = await createScratch();
  const path = await withSecret(scratch);
  git(scratch, "init");
  git(scratch, "add", ".mcp.json");
  // The repository of a hook that calls Toolgate must not stand in for the project's.
  const { of, text, findings, exitStatus } = await runDoctor(scratch, { GIT_DIR: scratch.home });
  expect(of("plain-secret")).toEqual([
    {
      level: "warning",
      check: "plain-secret",
      message: "a: env.GITHUB_TOKEN looks like a secret in plain text, and git tracks the file",
      fix: "Move it to an environment variable and write ${GITHUB_TOKEN} in its place; the old value is in the history, so replace it by a new one",
      server: "a",
      path,
      line: 6,
      column: 9,
    },
  ]);
  expect(text + JSON.stringify(findings)).not.toContain(TOKEN);
  expect(exitStatus).toBe(0);
});

test("a file that git does not track, does not know or cannot be asked about gives a hint, an ignored one nothing", async () => {
  await using scratch = await createScratch();
  await withSecret(scratch);
  const hint = { level: "hint", message: expect.stringContaining("if this file is committed") };
  expect((await runDoctor(scratch)).of("plain-secret")).toMatchObject([hint]);
  git(scratch, "init");
  expect((await runDoctor(scratch)).of("plain-secret")).toMatchObject([hint]);
  expect((await runDoctor(scratch, { PATH: scratch.home })).of("plain-secret")).toMatchObject([hint]);
  await scratch.write("project/.gitignore", ".mcp.json\n");
  expect((await runDoctor(scratch)).of("plain-secret")).toEqual([]);
});

test("a monitor that the repository names is not run", async () => {
  await using scratch = await createScratch();
  await withSecret(scratch);
  git(scratch, "init");
  git(scratch, "add", ".mcp.json");
  const trace = scratch.file("trace");
  git(scratch, "config", "core.fsmonitor", `touch ${trace}; false`);
  expect((await runDoctor(scratch)).of("plain-secret")).toMatchObject([{ level: "warning" }]);
  const { existsSync } = await import("node:fs");
  expect(existsSync(trace)).toBe(false);
});

test("secrets are found in every part of an entry, also of one that is disabled or shadowed", async () => {
  await using scratch = await createScratch();
  await scratch.projectServers({
    env: { entry: { command: "node", env: { DB_PASSWORD: PASSWORD, NAME: TOKEN } } },
    headers: { entry: { type: "http", url: "https://x.test/", headers: { Authorization: `Bearer ${PASSWORD}` } } },
    query: { entry: { type: "http", url: `https://x.test/mcp?page=2&api_key=${PASSWORD}` } },
    address: { entry: { command: "node", args: [`postgresql://app:${PASSWORD}@db.test/app`] } },
    option: {
      entry: { command: "node", args: ["--api-key", PASSWORD, `--token=${PASSWORD}`, "-e", `SECRET=${PASSWORD}`] },
    },
    header: { entry: { command: "node", args: ["--header", `Authorization: Bearer ${PASSWORD}`] } },
    oauth: { entry: { type: "http", url: "https://y.test/", oauth: { clientId: "public", clientSecret: PASSWORD } } },
    fallback: { entry: { command: "node", env: { API_TOKEN: `\${API_TOKEN:-${PASSWORD}}` } } },
    off: { entry: { command: "node", disabled: true, env: { API_TOKEN: PASSWORD } } },
  });
  await scratch.write("project/.vscode/mcp.json", {
    servers: { env: { command: "node", env: { API_TOKEN: PASSWORD } } },
  });
  const { of, text } = await runDoctor(scratch);
  const found = of("plain-secret").map(({ message }) => message.replace(/ looks like .*/, ""));
  expect(found.toSorted()).toEqual([
    "address: args[0] (its password)",
    "env: env.API_TOKEN",
    "env: env.DB_PASSWORD",
    "env: env.NAME",
    "fallback: env.API_TOKEN",
    "header: args[1] (the value of Authorization)",
    "headers: headers.Authorization",
    "oauth: oauth.clientSecret",
    "off: env.API_TOKEN",
    "option: args[1] (the value of --api-key)",
    "option: args[2] (the value of --token)",
    "option: args[4] (the value of SECRET)",
    "query: url (its parameter api_key)",
  ]);
  expect(text).not.toContain(PASSWORD);
  expect(text).not.toContain(TOKEN);
});

test("the fix is written as the client writes references", async () => {
  await using scratch = await createScratch();
  await scratch.write("project/.vscode/mcp.json", {
    servers: { "my docs": { type: "http", url: "https://x.test/", headers: { Authorization: `Bearer ${TOKEN}` } } },
  });
  await scratch.write(
    "project/.codex/config.toml",
    `[mcp_servers.c]\nurl = "https://y.test/"\nhttp_headers = { "X-Api-Key" = "${PASSWORD}" }\n`,
  );
  const { of } = await runDoctor(scratch);
  expect(of("plain-secret").map(({ fix }) => fix)).toEqual([
    'Move it to an environment variable such as X_API_KEY and name that in the entry ("env_http_headers")',
    "Move it to an environment variable and write ${env:MY_DOCS_TOKEN} in its place",
  ]);
});

test("references, placeholders and harmless values are no secrets", async () => {
  await using scratch = await createScratch();
  await scratch.projectServers({
    a: {
      entry: {
        command: "node",
        env: {
          REFERENCE_TOKEN: "${SOME_TOKEN}",
          OTHER_FORM_TOKEN: "${env:SOME_TOKEN}",
          FALLBACK_TOKEN: "${SOME_TOKEN:-}",
          COMMAND_TOKEN: "!op read op://vault/item/token",
          API_KEY: "YOUR_API_KEY",
          API_KEY_2: "<your key>",
          API_KEY_3: "xxxxxxxxxxxxxxxx",
          API_KEY_4: ["sk", "xxxxxxxxxxxxxxxxxxxxxxxx"].join("-"),
          GITHUB_TOKEN: ["ghp", "your_token_here_your_token_here"].join("_"),
          KEY_FILE: "/etc/ssl/private/server-0123456789.pem",
          TOKEN_URL: "https://auth.test/token",
          MAX_TOKENS: "4096",
          AUTH_TYPE: "authorization_code_0123456789",
          SESSION: "default",
          TOKENIZER: "cl100k_base_0123456789",
          PUBLIC_KEY: "a1b2c3d4e5f6a1b2c3d4e5f6",
          LOG_LEVEL: "debug-0123456789-abcdef",
        },
        args: ["--api-key", "${KEY}", "--token-file", "/run/secrets/token-0123456789", "--max-tokens=100000"],
      },
    },
    b: {
      entry: {
        type: "http",
        url: "https://x.test/mcp?api_key=${KEY}",
        headers: { Authorization: "Bearer ${KEY}", Accept: "application/json" },
      },
    },
    local: { entry: { command: "node", args: ["postgresql://app:app12345@localhost/app"] } },
  });
  await scratch.userServers({ mine: { entry: { command: "node", env: { API_TOKEN: PASSWORD } } } });
  expect((await runDoctor(scratch, { KEY: "1", SOME_TOKEN: "1" })).of("plain-secret")).toEqual([]);
});
