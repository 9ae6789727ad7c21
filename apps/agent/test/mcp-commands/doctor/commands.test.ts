import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { runDoctor } from "../../support/run-doctor.ts";
import { createScratch } from "../../support/scratch.ts";

const isPosix = process.platform !== "win32";

test("a command that is not on the PATH is an error with the folders that were searched and the entry's line", async () => {
  await using scratch = await createScratch();
  const path = await scratch.userServers({
    lost: { entry: { command: "no-such-command-anywhere" } },
    own: { entry: { command: "no-such-command-anywhere", args: ["2"], env: { PATH: scratch.home } } },
  });
  const { of, exitStatus, text } = await runDoctor(scratch, { PATH: scratch.root });
  expect(exitStatus).toBe(1);
  const [lost, own] = of("command-missing");
  expect(lost).toMatchObject({
    level: "error",
    server: "lost",
    path,
    line: 4,
    column: 7,
    message: `lost: there is no command no-such-command-anywhere on the PATH (searched: ${scratch.root})`,
    fix: expect.stringMatching(
      /^Install no-such-command-anywhere, or write the path .*"PATH" in the entry's "env" counts/,
    ),
  });
  expect(own?.message).toContain(`on the PATH in its "env" (searched: ${scratch.home})`);
  expect(text).toContain("✗ ~/.cursor/mcp.json:4:7: lost: there is no command");
  expect(text).toContain("in the entry lost in ~/.cursor/mcp.json:4:7");
});

test("a relative command is looked for in the entry's folder, and the finding names it", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ a: { entry: { command: "./server" } }, b: { entry: { command: "~/server" } } });
  const { of } = await runDoctor(scratch);
  const [relative, home] = of("command-missing");
  expect(relative?.message).toBe(`a: there is no program ./server in ${scratch.project}, from where it is looked for`);
  expect(home).toMatchObject({
    message: expect.stringContaining("not expanded"),
    fix: expect.stringContaining(join(scratch.home, "server")),
  });
});

test.runIf(isPosix)("a file that may not be run gets its chmod, found by path or on the PATH", async () => {
  await using scratch = await createScratch();
  const file = await scratch.write("bin/my server", "#!/bin/sh\n");
  const plain = await scratch.write("bin/plain", "#!/bin/sh\n");
  await chmod(file, 0o644);
  await chmod(plain, 0o644);
  await scratch.userServers({ a: { entry: { command: file } }, b: { entry: { command: "plain" } } });
  const { of, exitStatus } = await runDoctor(scratch, { PATH: scratch.file("bin") });
  expect(of("command-not-executable")).toMatchObject([
    { level: "error", server: "a", fix: `chmod +x '${file}'` },
    { level: "error", server: "b", fix: `chmod +x ${plain}` },
  ]);
  expect(exitStatus).toBe(1);
});

test("a folder is no program", async () => {
  await using scratch = await createScratch();
  await mkdir(scratch.file("tool"));
  await scratch.userServers({ a: { entry: { command: scratch.file("tool") } } });
  expect((await runDoctor(scratch)).of("command-is-folder")).toMatchObject([{ level: "error", server: "a" }]);
});

test("a whole command line in the command is taken apart", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ a: { entry: { command: "node --version" } } });
  expect((await runDoctor(scratch)).of("command-with-arguments")).toMatchObject([
    {
      level: "error",
      server: "a",
      fix: expect.stringContaining('Write "command": "node" and the other words as "args"'),
    },
  ]);
});

test.runIf(isPosix)("a script without a first line for its interpreter is a warning, a program is none", async () => {
  await using scratch = await createScratch();
  const bare = await scratch.write("bare.js", "console.log(1)\n");
  const good = await scratch.write("good.js", "#!/usr/bin/env node\nconsole.log(1)\n");
  await chmod(bare, 0o755);
  await chmod(good, 0o755);
  await scratch.userServers({
    bare: { entry: { command: bare } },
    good: { entry: { command: good } },
    node: { entry: { command: process.execPath } },
  });
  const { of, exitStatus } = await runDoctor(scratch);
  expect(of("script-without-shebang")).toMatchObject([{ level: "warning", server: "bare" }]);
  expect(exitStatus).toBe(0);
});

test("a working directory and a script that do not exist are named", async () => {
  await using scratch = await createScratch();
  await scratch.write("here.py", "");
  await scratch.userServers({
    cwd: { entry: { command: "./gone", cwd: scratch.file("absent") } },
    script: { entry: { command: "node", args: ["--no-warnings", scratch.file("dist/server.js")] } },
    present: { entry: { command: "node", args: [scratch.file("here.py"), scratch.file("output.js")] } },
    other: { entry: { command: process.platform === "win32" ? "cmd" : "ls", args: [scratch.file("gone.js")] } },
  });
  const { of, summary } = await runDoctor(scratch);
  expect(of("cwd-missing")).toMatchObject([{ level: "error", server: "cwd", line: expect.any(Number) }]);
  expect(of("script-missing")).toMatchObject([
    { level: "warning", server: "script", message: expect.stringContaining(scratch.file("dist/server.js")) },
  ]);
  expect(summary).toMatchObject({ errors: 1, warnings: 1 });
});
