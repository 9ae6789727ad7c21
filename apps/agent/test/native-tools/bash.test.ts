import { readFileSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { processIsAlive, waitFor } from "../../../../tooling/fixture-servers/index.mjs";
import { createScratch } from "../support/scratch.ts";
import { nativeToolsIn } from "./support/native-tools.ts";

test("a command runs in the working directory, and gives both outputs and its status", async () => {
  await using scratch = await createScratch();
  const { call } = nativeToolsIn(scratch, { env: { ...scratch.env, GREETING: "hello" } });
  expect(await call("bash", { command: "pwd; echo $GREETING >&2; cat" })).toMatchObject({
    isError: false,
    text: `${scratch.project}\nhello`,
  });
  expect(await call("bash", { command: "echo no; exit 3" })).toMatchObject({
    isError: true,
    text: "no\n(exit status 3)",
  });
  expect((await call("bash", { command: "true" })).text).toBe("(no output)");
  expect((await call("bash", { command: "printf '\\033[31mred\\033[0m'" })).text).toBe("red");
});

test("of a long output the end is shown, and the whole is in a file", async () => {
  await using scratch = await createScratch();
  const { call } = nativeToolsIn(scratch);
  const { text } = await call("bash", { command: "seq 1 20000" });
  expect(text.length).toBeLessThan(31_000);
  expect(text.endsWith("\n19999\n20000")).toBe(true);
  const [, file = ""] = /all of them are in (.*)\)/.exec(text) ?? [];
  onTestFinished(() => rm(dirname(file), { recursive: true, force: true }));
  expect(readFileSync(file, "utf8")).toBe(Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join(""));
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("the time limit ends a command with everything that it has started", async () => {
  await using scratch = await createScratch();
  const { call } = nativeToolsIn(scratch);
  const command = `sleep 600 & echo $! > "${scratch.file("child")}"; trap '' TERM; echo begun; sleep 600; sleep 600`;
  const answer = await call("bash", { command, timeout_ms: 300 });
  expect(answer).toMatchObject({ isError: true, text: "begun\n(ended after 300 ms, its time limit)" });
  expect(processIsAlive(Number(readFileSync(scratch.file("child"), "utf8")))).toBe(false);
});

test("an abort ends the whole tree, also what has left its group", async () => {
  await using scratch = await createScratch();
  const { call } = nativeToolsIn(scratch);
  const controller = new AbortController();
  const pidFile = scratch.file("pid");
  const command = `setsid sh -c 'echo $$ > "${pidFile}.new"; mv "${pidFile}.new" "${pidFile}"; exec sleep 600' & wait`;
  const running = call("bash", { command }, { signal: controller.signal });
  const pid = Number(await waitFor(() => readPid(pidFile), "the process"));
  controller.abort();
  await expect(running).rejects.toMatchObject({ name: "AbortError" });
  expect(processIsAlive(pid)).toBe(false);
});

test("what runs in the background ends with the command", async () => {
  await using scratch = await createScratch();
  const { call } = nativeToolsIn(scratch);
  const { text, isError } = await call("bash", { command: "sleep 600 & echo $!" });
  expect(isError).toBe(false);
  expect(processIsAlive(Number(text))).toBe(false);
});

test("a working directory that is gone is an error for the model", async () => {
  await using scratch = await createScratch();
  const { call } = nativeToolsIn(scratch, { cwd: scratch.file("gone") });
  expect(await call("bash", { command: "true" })).toMatchObject({
    isError: true,
    text: expect.stringContaining("ENOENT"),
  });
});

function readPid(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return undefined;
  }
}
