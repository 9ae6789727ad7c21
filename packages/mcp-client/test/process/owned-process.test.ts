import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { processIsAlive, temporaryDirectory, waitFor } from "../../../../tooling/fixture-servers/index.mjs";
import { spawnOwnedProcess } from "../../src/index.ts";

const env = { PATH: process.env["PATH"] };

function readPid(file: string): number {
  try {
    return Number(readFileSync(file, "utf8").trim());
  } catch {
    return 0;
  }
}

test("an owned process ends with everything that it started, however often it is asked to", async () => {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "pid");
  const { child, end } = await spawnOwnedProcess("sh", ["-c", `sleep 600 & echo $! > '${file}'; wait`], {
    cwd: directory.path,
    env,
  });
  const grandchild = await waitFor(() => readPid(file), "the grandchild");
  await Promise.all([end(), end()]);
  expect([child.pid ?? 0, grandchild].map(processIsAlive)).toEqual([false, false]);
});

test("what an owned process leaves behind when it exits is ended as well", async () => {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "pid");
  const { child, end } = await spawnOwnedProcess("sh", ["-c", `sleep 600 > /dev/null 2>&1 & echo $! > '${file}'`], {
    cwd: directory.path,
    env,
  });
  await new Promise((resolve) => child.once("exit", resolve));
  await end();
  expect(processIsAlive(readPid(file))).toBe(false);
});

test("a process that cannot be started has its error, and nothing to end", async () => {
  await using directory = await temporaryDirectory();
  const { child, end } = await spawnOwnedProcess("no-such-command", [], { cwd: directory.path, env });
  await expect(new Promise((_resolve, reject) => child.once("error", reject))).rejects.toMatchObject({
    code: "ENOENT",
  });
  await end();
});
