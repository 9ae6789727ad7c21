import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { findEventProblem } from "../apps/agent/test/support/event-schema.ts";
import type { RunResult } from "../apps/agent/test/support/run-toolgate.ts";
import { createScratch } from "../apps/agent/test/support/scratch.ts";
import type { Scratch } from "../apps/agent/test/support/scratch.ts";
import { signInByBrowser } from "../packages/mcp-client/test/auth/support/browser.ts";
import { COMMAND_RUNS } from "./support/command-runs.ts";
import type { CommandRun } from "./support/command-runs.ts";
import { expandChoices, patternOf, readCommands } from "./support/documented-commands.ts";
import { serversOf } from "./support/processes.ts";
import { runLine } from "./support/run-line.ts";

const root = new URL("../", import.meta.url);
const documents = ["README.md", "apps/agent/README.md", ...listDocuments()];
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const commands = documents.flatMap(readCommands);
const entries = Object.entries(COMMAND_RUNS);
const run = entries.flatMap(([command, how]) => ("runs" in how ? [{ command, ...how }] : []));

test("each command of the documents has its runs, and each run its command", () => {
  expect(commands.length).toBeGreaterThan(30);
  expect([...new Set(commands.map(({ line }) => line))].toSorted()).toEqual(Object.keys(COMMAND_RUNS).toSorted());
});

test.each(run)("the runs of $command are what is written there, filled in", ({ command, runs }) => {
  const lines = runs.map(({ line }) => line);
  for (const choice of expandChoices(command)) {
    expect(
      lines.some((line) => patternOf(choice).test(line)),
      choice,
    ).toBe(true);
  }
  const explained = commands.filter(({ line }) => line === command).map(({ explanation }) => explanation);
  for (const [option] of explained.join(" ").matchAll(/--[a-z-]+/g)) {
    expect(
      lines.some((line) => line.includes(` ${option}`)),
      option,
    ).toBe(true);
  }
});

test("what is run by something else is run there", () => {
  for (const [, how] of entries) {
    if ("elsewhere" in how) expect(existsSync(fileURLToPath(new URL(how.elsewhere, root))), how.elsewhere).toBe(true);
  }
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  // The tour's tests run the command of the one; what runs everything runs the other.
  expect(scripts["start"]).toBe("node tooling/bootstrap/bootstrap.mjs && node apps/agent/bin/toolgate.js demo");
  expect(read(".ci/run.mjs")).toMatch(/run\("Tests", "npm", \[\s+"test",/);
});

test.each(run)("$command does what is said about it", async ({ prepare, runs }) => {
  await using scratch = await createScratch();
  const prepared = await (prepare ?? withOneServer)(scratch);
  for (const step of runs) {
    // oxlint-disable-next-line no-await-in-loop -- each builds on the one before
    await carryOut(step, scratch, prepared?.env);
  }
  prepared?.check();
  expect(serversOf(scratch.home)).toEqual([]);
});

function listDocuments(): string[] {
  const names = readdirSync(new URL("docs/", root)).filter((name) => name.endsWith(".md"));
  return names.map((name) => `docs/${name}`);
}

async function withOneServer(scratch: Scratch): Promise<void> {
  await scratch.userServers({ one: {} });
}

async function carryOut(step: CommandRun, scratch: Scratch, env: Record<string, string> = {}): Promise<void> {
  const result = await runWithBrowser(step, scratch, env);
  const said = `${step.line}\n${result.stdout}\n${result.stderr}`;
  expect(result.status, said).toBe(step.status ?? 0);
  for (const text of step.stdout ?? []) expect(result.stdout, said).toMatch(text);
  for (const text of step.stderr ?? []) expect(result.stderr, said).toMatch(text);
  if (step.isJson === true) expect(result.json()).toBeTypeOf("object");
  if (step.isEvents === true) expectEvents(result);
  for (const [path, text] of Object.entries(step.files ?? {})) {
    const file = path.replace(/^~/, scratch.home).replace(/^\./, scratch.project);
    // oxlint-disable-next-line no-await-in-loop -- there are one or two
    expect(await readFile(file, "utf8"), path).toMatch(text);
  }
}

/** Runs a step, and goes with a browser to the address that it shows where one is there. */
async function runWithBrowser(step: CommandRun, scratch: Scratch, env: Record<string, string>): Promise<RunResult> {
  let visited: Promise<void> | undefined;
  const result = await runLine(scratch, step.line, {
    env,
    ...(step.stdin === undefined ? {} : { stdin: step.stdin }),
    onStderr(text) {
      const [, address] = /^ {2}(http\S+)\n/m.exec(text) ?? [];
      if (step.hasBrowser === true && address !== undefined) visited ??= signInByBrowser(address);
    },
  });
  await visited;
  return result;
}

function expectEvents({ stdout }: RunResult): void {
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  for (const event of events) expect(findEventProblem(event)).toBeUndefined();
  expect(events.at(-1)).toMatchObject({ type: "done" });
}
