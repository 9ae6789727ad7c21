import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { runToolgate } from "../support/run-toolgate.ts";
import type { Json } from "../support/run-toolgate.ts";
import { createScratch } from "../support/scratch.ts";
import type { Scratch } from "../support/scratch.ts";

const SECRET = "s3cret-value-0123";

async function run(scratch: Scratch, ...words: string[]): Promise<Json> {
  const result = await runToolgate(scratch, ["mcp", ...words, "--json"], { env: { TOKEN: SECRET } });
  expect(result.stdout + result.stderr).not.toContain(SECRET);
  return { status: result.status, ...result.json() };
}

const readJson = async (path: string): Promise<Json> => JSON.parse(await readFile(path, "utf8"));

test("a server is copied into another client's form, and no value of the environment with it", async () => {
  await using scratch = await createScratch();
  const entry = { command: "node", args: ["-v"], env: { KEY: "${env:TOKEN}" } };
  const original = await scratch.userServers({ x: { entry } });
  const path = join(scratch.home, ".claude.json");
  expect(await run(scratch, "copy", "x", "--to", "claude-code")).toEqual({
    status: 0,
    name: "x",
    from: { name: "x", provider: "cursor", providerName: "Cursor", path: original, level: "user" },
    to: { provider: "claude-code", path, level: "user" },
    changed: true,
    created: true,
  });
  expect(await readJson(path)).toEqual({
    mcpServers: { x: { type: "stdio", command: "node", args: ["-v"], env: { KEY: "${TOKEN}" } } },
  });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readJson(original)).toEqual({ mcpServers: { x: entry } });
  expect(await run(scratch, "copy", "x", "--to", "claude-code")).toMatchObject({
    status: 1,
    error: { code: "CONFIG_INVALID", message: expect.stringContaining("is in") },
  });
  expect(await run(scratch, "copy", "x", "--to", "claude-code", "--replace")).toMatchObject({
    status: 0,
    changed: false,
    created: false,
  });
  const text = await runToolgate(scratch, ["mcp", "copy", "x", "--to", "vscode", "--as", "y"]);
  expect(text.stdout).toBe("y: copied to the new file ~/.config/Code/User/mcp.json, from ~/.claude.json\n");
});

test("the entry that is used is copied, or a shadowed or disabled one that is asked for", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ x: { entry: { command: "from-cursor" } }, off: { entry: { command: "off" } } });
  await scratch.projectServers({ x: { entry: { command: "from-project" } } });
  await scratch.write("home/.config/toolgate/config.json", { disabledServers: ["off"] });
  const target = join(scratch.project, ".vscode", "mcp.json");
  const copy = (...words: string[]): Promise<Json> =>
    run(scratch, "copy", ...words, "--to", "vscode", "--scope", "project");
  expect(await copy("x", "--as", "used")).toMatchObject({ status: 0, from: { provider: "mcp-json" } });
  expect(await copy("x", "--as", "other", "--from", "cursor")).toMatchObject({
    status: 0,
    from: { provider: "cursor" },
  });
  expect(await copy("off")).toMatchObject({ status: 0, name: "off" });
  // A copy of the project's entry is no approval of it.
  expect(await run(scratch, "trust")).toMatchObject({ status: 4, pending: ["used", "x"] });
  expect(await readJson(target)).toEqual({
    servers: {
      used: { type: "stdio", command: "from-project" },
      other: { type: "stdio", command: "from-cursor" },
      off: { type: "stdio", command: "off" },
    },
  });
  expect(await copy("x", "--from", "codex")).toMatchObject({
    status: 1,
    error: { message: 'x is not declared by "codex", but by: mcp-json, cursor.' },
  });
  expect(await copy("nobody")).toMatchObject({ status: 1, error: { code: "NOT_CONNECTED" } });
});

test("what a client cannot say is refused with every reason", async () => {
  await using scratch = await createScratch();
  const entry = { type: "sse", url: "https://x.test/", headers: { Key: SECRET }, timeout: 1000 };
  await scratch.projectServers({ x: { entry } });
  const refused = await run(scratch, "copy", "x", "--to", "cursor");
  expect(refused).toMatchObject({ status: 1, error: { code: "CONFIG_INVALID", server: "x" } });
  expect(refused.error.message).toContain("- Cursor lacks the transport sse\n");
  expect(refused.error.message).toContain('- Cursor has no field for "timeout"\n');
});

test("add writes a client's file, and says which clients can be written", async () => {
  await using scratch = await createScratch();
  const path = join(scratch.project, ".vscode", "mcp.json");
  const words = ["--scope", "project", "--env", "KEY=${TOKEN}", "--", "node", "-v"];
  const add = await runToolgate(scratch, ["--json", "mcp", "add", "x", "--to", "vscode", ...words]);
  expect(add.json()).toMatchObject({ name: "x", scope: "project", to: "vscode", path, created: true });
  expect(await readJson(path)).toEqual({
    servers: { x: { type: "stdio", command: "node", args: ["-v"], env: { KEY: "${env:TOKEN}" } } },
  });
  // What a person types is approved.
  expect(await run(scratch, "trust")).toMatchObject({ status: 0, pending: [] });
  for (const client of ["nobody", "codex"]) {
    // oxlint-disable-next-line no-await-in-loop -- one command after the other
    const refused = await run(scratch, "add", "x", "--to", client, "--url", "https://x.test/");
    expect(refused).toMatchObject({ status: 1, error: { code: "CONFIG_INVALID" } });
    expect(refused.error.message).toMatch(/Clients that can be written: .*\bcursor\b.*\.$/);
  }
});

test("remove and --in-source edit the file of a client", async () => {
  await using scratch = await createScratch();
  const codeFile = await scratch.write("home/.config/Code/User/mcp.json", { servers: { a: { command: "a" } } });
  await scratch.write("home/.config/toolgate/config.json", { mcpServers: { b: { command: "b" } } });
  expect(await run(scratch, "disable", "a", "--in-source")).toMatchObject({
    status: 1,
    error: { message: expect.stringContaining("toolgate mcp disable a") },
  });
  expect(await run(scratch, "remove", "a")).toMatchObject({ status: 0, path: codeFile, changed: true });
  expect(await readJson(codeFile)).toEqual({ servers: {} });
  expect(await run(scratch, "disable", "b", "--in-source")).toMatchObject({ status: 0, enabled: false, changed: true });
  expect(await run(scratch, "enable", "b", "--in-source")).toMatchObject({ status: 0, enabled: true, changed: true });
});
