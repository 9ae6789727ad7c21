import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { endOf, startToolgate } from "../apps/agent/test/support/run-toolgate.ts";
import { createScratch } from "../apps/agent/test/support/scratch.ts";
import type { Scratch } from "../apps/agent/test/support/scratch.ts";
import { startServers } from "../packages/mcp-client/test/auth/support/sign-in-fixture.ts";
import { receivedMessages, waitFor } from "../tooling/fixture-servers/index.mjs";
import { serversOf } from "./support/processes.ts";

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

/** A run that ends with a status, and what it says. */
interface StatusRun {
  status: number;
  when: string;
  words: readonly string[];
  stdout?: string;
  stderr?: string;
  /** Sent once the server has got the call. */
  signal?: NodeJS.Signals;
}

const HANG = ["mcp", "call", "one.hang"];

const RUNS: readonly StatusRun[] = [
  { status: 0, when: "a tool answers", words: ["mcp", "call", "one.echo", "text=fine"], stdout: "fine\n" },
  { status: 0, when: "a server that nobody named fails", words: ["mcp", "list"], stdout: "bad" },
  { status: 1, when: "the tool says that it failed", words: ["mcp", "call", "one.fail"], stdout: "the tool says no" },
  { status: 1, when: "a named server fails", words: ["mcp", "tools", "bad"], stderr: "bad" },
  { status: 1, when: "a prompt lacks a server", words: ["-p", "hi", "--require", "bad"], stderr: "bad" },
  { status: 2, when: "there is no such command", words: ["mcp", "lsit"], stderr: "Did you mean list?" },
  { status: 2, when: "there is no such model", words: ["-p", "hi", "--model", "nobody/x"], stderr: "--model" },
  {
    status: 3,
    when: "the file cannot be read",
    words: ["mcp", "list", "--config", "absent.json"],
    stderr: "absent.json",
  },
  { status: 3, when: "the chat's file cannot be read", words: ["--config", "absent.json"], stderr: "absent.json" },
  { status: 4, when: "a server is not approved", words: ["mcp", "call", "theirs.echo"], stderr: "toolgate mcp trust" },
  { status: 4, when: "nobody is signed in", words: ["mcp", "tools", "guarded"], stderr: "toolgate mcp auth guarded" },
  { status: 130, when: "it is interrupted", words: HANG, signal: "SIGINT" },
  { status: 143, when: "it is terminated", words: HANG, signal: "SIGTERM" },
  { status: 129, when: "its terminal is closed", words: HANG, signal: "SIGHUP" },
];

test("the statuses that are documented are those that are produced here", () => {
  const [, sentence = ""] = /Exit status: (.*)\.$/m.exec(read("README.md")) ?? [];
  const inSentence = [...sentence.matchAll(/(?:^|, )(\d+) [a-z]/g)].map(([, status]) => Number(status));
  const rows = [...read("docs/models.md").matchAll(/^\| (\d+) +\| (.*?) *\|$/gm)];
  const inTable = rows.flatMap(([, status, meaning = ""]) => [
    Number(status),
    ...[...meaning.matchAll(/\b(\d+) after SIG/g)].map(([, other]) => Number(other)),
  ]);
  expect(inSentence).toEqual(rows.map(([, status]) => Number(status)));
  expect(inTable.toSorted((a, b) => a - b)).toEqual(
    [...new Set(RUNS.map(({ status }) => status))].toSorted((a, b) => a - b),
  );
});

test.each(RUNS)("the status is $status when $when", async ({ status, words, stdout = "", stderr = "", signal }) => {
  await using scratch = await createScratch();
  const logFile = await configure(scratch);
  const child = startToolgate(scratch, words);
  child.stdin.end();
  const ending = endOf(child);
  if (signal !== undefined) {
    await waitFor(() => receivedMessages(logFile).some(({ method }) => method === "tools/call"), "the call");
    child.kill(signal);
  }
  const result = await ending;
  expect(result).toMatchObject({
    status,
    stdout: expect.stringContaining(stdout),
    stderr: expect.stringContaining(stderr),
  });
  expect(serversOf(scratch.home)).toEqual([]);
});

/** Servers that work, fail, wait for an approval and for a sign-in; gives the file of what the first one receives. */
async function configure(scratch: Scratch): Promise<string> {
  const logFile = await scratch.write("received.log", "");
  const guarded = { entry: (await startServers()).config };
  await scratch.userServers({ one: { logFile }, bad: { exitAt: "start" }, guarded });
  await scratch.projectServers({ theirs: {} });
  return logFile;
}
