import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import type { Scratch } from "../support/scratch.ts";
import { createScratch } from "../support/scratch.ts";
import { nativeToolsIn } from "./support/native-tools.ts";

async function writeTree(scratch: Scratch): Promise<void> {
  await mkdir(join(scratch.project, ".git"));
  await scratch.write("project/.git/config", "needle");
  await scratch.write("project/.gitignore", "build/\n*.log\n");
  await scratch.write("project/src/.gitignore", "!kept.log\n");
  await scratch.write("project/src/a.ts", "first\nneedle one\nNeedle two\n");
  await scratch.write("project/src/kept.log", "needle in a log\n");
  await scratch.write("project/src/lost.log", "needle\n");
  await scratch.write("project/build/a.ts", "needle\n");
  await scratch.write("project/b.md", "needle\n");
  await writeFile(join(scratch.project, "c.bin"), Buffer.concat([Buffer.from([0]), Buffer.from("needle")]));
  // A way round in circles.
  await symlink("..", join(scratch.project, "src", "up"));
}

test("list shows a folder without what is ignored", async () => {
  await using scratch = await createScratch();
  await writeTree(scratch);
  const { call } = nativeToolsIn(scratch);
  expect((await call("list")).text).toBe(".gitignore  13\nb.md  7\nc.bin  7\nsrc/");
  expect((await call("list", { all: true })).text).toContain("build/");
  expect((await call("list", { path: "src" })).text).toBe(".gitignore  10\na.ts  28\nkept.log  16\nup/ (link)");
  expect((await call("list", { path: "none" })).text).toMatch(/none does not exist/);
});

test("glob finds files by their paths or names, without what is ignored", async () => {
  await using scratch = await createScratch();
  await writeTree(scratch);
  const { call } = nativeToolsIn(scratch);
  expect((await call("glob", { pattern: "*.{ts,log}" })).text).toBe("src/a.ts\nsrc/kept.log");
  expect((await call("glob", { pattern: "**/*.md" })).text).toBe("b.md");
  expect((await call("glob", { pattern: "*.ts", path: "src" })).text).toBe("src/a.ts");
  expect((await call("glob", { pattern: "*", limit: 1 })).text).toBe(
    ".gitignore\n(more than 1 files; narrow the pattern)",
  );
  expect((await call("glob", { pattern: "*.none" })).text).toBe("No file fits.");
});

test("the rules of the folders above count as well", async () => {
  await using scratch = await createScratch();
  await writeTree(scratch);
  await scratch.write("project/src/deep/x.log", "needle\n");
  const { call } = nativeToolsIn(scratch, { cwd: join(scratch.project, "src", "deep") });
  expect((await call("glob", { pattern: "*" })).text).toBe("No file fits.");
});

test("grep gives the lines that fit, not more than asked for", async () => {
  await using scratch = await createScratch();
  await writeTree(scratch);
  const { call } = nativeToolsIn(scratch);
  expect((await call("grep", { pattern: "^needle" })).text).toBe(
    "b.md:1: needle\nsrc/a.ts:2: needle one\nsrc/kept.log:1: needle in a log",
  );
  expect((await call("grep", { pattern: "^needle", ignore_case: true, glob: "src/*.ts" })).text).toBe(
    "src/a.ts:2: needle one\nsrc/a.ts:3: Needle two",
  );
  expect((await call("grep", { pattern: "needle", path: "build/a.ts" })).text).toBe("build/a.ts:1: needle");
  expect((await call("grep", { pattern: "needle", limit: 1 })).text).toBe(
    "b.md:1: needle\n(more than 1 lines; narrow the search)",
  );
  expect((await call("grep", { pattern: "nowhere" })).text).toBe("Nothing was found.");
});

test("an expression that is none, or takes for ever, is an error that says so", async () => {
  await using scratch = await createScratch();
  await scratch.write("project/a.txt", `${"a".repeat(60)}!\n`);
  const { call } = nativeToolsIn(scratch);
  expect(await call("grep", { pattern: "(" })).toMatchObject({
    isError: true,
    text: expect.stringContaining("cannot be used"),
  });
  expect(await call("grep", { pattern: "^(a+)+$" })).toMatchObject({
    isError: true,
    text: expect.stringContaining("takes too long"),
  });
});
