import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect, onTestFinished, test } from "vitest";

import { parseArguments } from "../apps/agent/src/cli/parse-arguments.ts";
import { runToolgate } from "../apps/agent/test/support/run-toolgate.ts";
import { createScratch } from "../apps/agent/test/support/scratch.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");

function fences(language: string): string[] {
  return [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, name, text = ""]) =>
    name === language ? [text] : [],
  );
}

/** The words of each `toolgate …` line without its explanation, alternatives (`add|remove`) one by one. */
function commandLines(): string[][] {
  const lines = [...fences("sh"), ...fences("")].flatMap((text) => text.split("\n"));
  return lines
    .filter((line) => /^toolgate\b/.test(line))
    .flatMap((line) => {
      const words = (line.split(/ {2,}/)[0] ?? "").split(" ").slice(1);
      return words.reduce<string[][]>(
        (all, word) => all.flatMap((before) => word.split("|").map((choice) => [...before, choice])),
        [[]],
      );
    });
}

/** The words that name a command: what follows is a place for something (`NAME`, `[server]`, `k=v`) or an option. */
function commandOf(words: readonly string[]): string[] {
  const end = words.findIndex((word) => !/^[a-z]+$/.test(word));
  return words.slice(0, end === -1 ? undefined : end);
}

const commands = commandLines().map((words) => ({ line: ["toolgate", ...words].join(" "), words }));

test("README shows the commands that there are", () => {
  expect(commands.length).toBeGreaterThan(10);
});

test.each(commands)("$line has help of its own", async ({ words }) => {
  await using scratch = await createScratch();
  const command = commandOf(words);
  const { status, stdout, stderr } = await runToolgate(scratch, [...command, "--help"]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(new RegExp(`^Usage: ${["toolgate", ...command].join(" ")}(?:\\|\\w+)?(?: [^a-z]|$)`, "m"));
});

test.each(commands)("$line is understood as it is written", ({ words }) => {
  const filled = words.map((word) => word.replace(/^\[(.*)\]$/, "$1"));
  // To add a server takes what it is started with, too.
  const given = words[1] === "add" ? [...filled, "--", "node"] : filled;
  const kind = words[0] === "-p" ? "prompt" : (words[0] ?? "chat");
  expect(parseArguments(given).kind).toBe(kind);
});

test("a command that does not exist is not understood", () => {
  expect(parseArguments(["mcp", "nonsense"])).toMatchObject({ kind: "usage" });
});

test("the snippets of README compile under the rules of this repository", async () => {
  const folder = join(root, "tests", `.readme-${process.pid}`);
  await mkdir(folder);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const snippets = fences("ts");
  expect(snippets.length).toBeGreaterThan(0);
  await Promise.all(snippets.map((code, index) => writeFile(join(folder, `snippet-${index}.ts`), code)));
  await writeFile(
    join(folder, "tsconfig.json"),
    JSON.stringify({ extends: "../../tsconfig.json", include: ["*.ts"], compilerOptions: { types: ["node"] } }),
  );
  const compiler = fileURLToPath(import.meta.resolve("typescript/bin/tsc"));
  const compiling = promisify(execFile)(process.execPath, [compiler, "--noEmit", "-p", folder]);
  const output = await compiling.then(
    ({ stdout }) => stdout,
    (error: { stdout?: string }) => error.stdout,
  );
  expect(output).toBe("");
});
