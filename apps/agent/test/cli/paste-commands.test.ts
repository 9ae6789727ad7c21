import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { fixtureServer } from "../../../../tooling/fixture-servers/index.mjs";
import { runToolgate } from "../support/run-toolgate.ts";
import { createScratch } from "../support/scratch.ts";

const SECRET = "s3cret-value-0123";

test("what comes through a pipe is written without asking, and every server is usable at once", async () => {
  await using scratch = await createScratch();
  const { command, args } = fixtureServer();
  const toml = [
    "[mcp_servers.one]",
    `command = ${JSON.stringify(command)}`,
    `args = ${JSON.stringify(args)}`,
    `env = { API_KEY = "${SECRET}" }`,
    "",
    "[mcp_servers.two]",
    'url = "not an address"',
  ].join("\n");
  const added = await runToolgate(scratch, ["mcp", "add", "-", "--json"], { input: toml });
  expect(added.stdout + added.stderr).not.toContain(SECRET);
  expect(added.status).toBe(1);
  const path = join(scratch.home, ".config", "toolgate", "config.json");
  expect(added.json()).toEqual({
    form: "Codex",
    added: [{ name: "one", path, changed: true, created: true, config: { command, args, env: { API_KEY: "***" } } }],
    failed: [{ name: "two", message: expect.stringContaining("not a URL") }],
    warnings: [],
  });
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual({
    mcpServers: { one: { command, args, env: { API_KEY: SECRET } } },
  });
  expect(await runToolgate(scratch, ["mcp", "call", "one.echo", "text=hi"])).toMatchObject({
    status: 0,
    stdout: "hi\n",
  });
});

test("a text that holds no server is refused, and nothing is written", async () => {
  await using scratch = await createScratch();
  const refused = await runToolgate(scratch, ["mcp", "add", "--paste", "--json"], { input: `{"key": "${SECRET}"}` });
  expect(refused.status).toBe(1);
  expect(refused.json()).toMatchObject({ error: { code: "CONFIG_INVALID" } });
  expect(refused.stdout + refused.stderr).not.toContain(SECRET);
  const unknown = await runToolgate(scratch, ["mcp", "add", "--paste", "--to", "cusror"], { input: "{}" });
  expect(unknown).toMatchObject({ status: 1, stderr: expect.stringContaining("Did you mean cursor?") });
  expect(await runToolgate(scratch, ["mcp", "add"])).toMatchObject({ status: 2 });
});
