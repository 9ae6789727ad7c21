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
import { expandChoices, readCommands } from "./support/documented-commands.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");

/** The words that name a command: what follows is a place for something (`NAME`, `[server]`, `k=v`) or an option. */
function commandOf(line: string): string[] {
  const words = line.split(" ").slice(1);
  const end = words.findIndex((word) => !/^[a-z]+$/.test(word));
  return words.slice(0, end === -1 ? undefined : end);
}

const lines = readCommands("README.md").flatMap(({ line }) => (line.startsWith("toolgate") ? expandChoices(line) : []));

test("README shows the commands that there are", () => {
  expect(lines.length).toBeGreaterThan(10);
});

// That each does what README says is seen in documented-commands.test.ts.
test.each([...new Set(lines)])("%s has help of its own", async (line) => {
  await using scratch = await createScratch();
  const command = commandOf(line);
  const { status, stdout, stderr } = await runToolgate(scratch, [...command, "--help"]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(new RegExp(`^Usage: ${["toolgate", ...command].join(" ")}(?:\\|\\w+)?(?: [^a-z]|$)`, "m"));
});

test("a command that does not exist is not understood", () => {
  expect(parseArguments(["mcp", "nonsense"])).toMatchObject({ kind: "usage" });
});

test("the snippets of README compile under the rules of this repository", async () => {
  const folder = join(root, "tests", `.readme-${process.pid}`);
  await mkdir(folder);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const snippets = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
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
