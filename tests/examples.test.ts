import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import type { Scratch } from "../apps/agent/test/support/scratch.ts";
import { createScratch } from "../apps/agent/test/support/scratch.ts";
import { serversOf } from "./support/processes.ts";

const execute = promisify(execFile);

/** Runs an example as a person would, with servers that are configured for another client. */
async function runExample(scratch: Scratch, name: string, ...words: string[]): Promise<string[]> {
  const file = fileURLToPath(new URL(`../examples/${name}/index.js`, import.meta.url));
  const { stdout, stderr } = await execute(process.execPath, [file, ...words], {
    cwd: scratch.project,
    env: scratch.env,
  });
  expect(stderr).toBe("");
  expect(serversOf(scratch.home)).toEqual([]);
  return stdout.trimEnd().split("\n");
}

test("embed-session lists tools and calls one", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ one: {} });
  expect(await runExample(scratch, "embed-session")).toContain("mcp_one_echo");
  expect(await runExample(scratch, "embed-session", "mcp_one_echo", '{"text":"hi"}')).toEqual(["hi"]);
});

test("custom-model calls the tool that the prompt names", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ one: {} });
  expect(await runExample(scratch, "custom-model", "use mcp_one_echo")).toEqual([
    "calls mcp_one_echo",
    "It says: use mcp_one_echo",
  ]);
  expect(await runExample(scratch, "custom-model", "hello")).toEqual(["I see 11 tools, and none that you name."]);
});

test("subagent gives a subagent one tool over the session's own connection", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ one: {}, two: {} });
  expect(await runExample(scratch, "subagent", "mcp_one_cwd")).toEqual([
    "the subagent has: mcp_one_cwd",
    "progress: task: mcp_one_cwd",
    `The subagent says: mcp_one_cwd says: ${scratch.project}`,
  ]);
});
