import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import type { Json } from "../support/run-toolgate.ts";
import { runToolgate } from "../support/run-toolgate.ts";
import { createScratch } from "../support/scratch.ts";

const SECRET = "s3cret-value-0123";

test("add, disable, enable and remove change a file and name it", async () => {
  await using scratch = await createScratch();
  const run = async (...words: string[]): Promise<Json> => {
    const result = await runToolgate(scratch, ["mcp", ...words]);
    return { status: result.status, ...result.json() };
  };
  const path = join(scratch.home, ".config", "toolgate", "config.json");
  expect(await run("add", "x", "--json", "--env", `TOKEN=${SECRET}`, "--", "node", "-v")).toEqual({
    status: 0,
    name: "x",
    scope: "user",
    path,
    changed: true,
    created: true,
    config: { command: "node", args: ["-v"], env: { TOKEN: "***" } },
  });
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual({
    mcpServers: { x: { command: "node", args: ["-v"], env: { TOKEN: SECRET } } },
  });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await run("disable", "x", "--json")).toMatchObject({ status: 0, enabled: false, path, changed: true });
  expect(await run("list", "--json")).toMatchObject({ servers: [{ name: "x", status: "disabled" }] });
  expect(await run("enable", "x", "--json")).toMatchObject({ status: 0, enabled: true, path });
  expect(await run("remove", "x", "--json")).toMatchObject({ status: 0, name: "x", path, changed: true });
  expect(await run("remove", "x", "--json")).toMatchObject({ status: 1, error: { code: "NOT_CONNECTED" } });
  const remote = await run("add", "r", "--scope", "project", "--url", "https://x.test/mcp", "--json");
  expect(remote).toMatchObject({ status: 0, path: join(scratch.project, ".mcp.json") });
  expect(JSON.parse(await readFile(join(scratch.project, ".mcp.json"), "utf8"))).toEqual({
    mcpServers: { r: { type: "http", url: "https://x.test/mcp" } },
  });
});

test("a project's server runs once it is approved, and not after an edit", async () => {
  await using scratch = await createScratch();
  await scratch.projectServers({ theirs: {} });
  const call = ["mcp", "call", "theirs.echo", "text=hi"];
  expect((await runToolgate(scratch, call)).status).toBe(4);
  expect((await runToolgate(scratch, ["mcp", "trust"])).status).toBe(4);
  const trusted = await runToolgate(scratch, ["mcp", "trust", "theirs", "--json"]);
  expect(trusted.status).toBe(0);
  expect(trusted.json()).toMatchObject({ approved: [{ name: "theirs" }], pending: [] });
  expect(await runToolgate(scratch, call)).toMatchObject({ status: 0, stdout: "hi\n" });
  const store = join(scratch.home, ".local", "state", "toolgate", "trust.json");
  expect((await stat(store)).mode & 0o777).toBe(0o600);
  await scratch.projectServers({ theirs: { name: "edited" } });
  expect((await runToolgate(scratch, call)).status).toBe(4);
  expect((await runToolgate(scratch, ["mcp", "trust", "theirs"])).status).toBe(0);
  expect((await runToolgate(scratch, ["mcp", "trust", "theirs", "--revoke"])).status).toBe(0);
  expect((await runToolgate(scratch, call)).status).toBe(4);
});
