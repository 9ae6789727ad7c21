import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { createScratch } from "../support/scratch.ts";
import { nativeToolsIn } from "./support/native-tools.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("every tool says what it takes, and whether it only reads", async () => {
  await using scratch = await createScratch();
  const { tools } = nativeToolsIn(scratch);
  expect(
    tools.map(({ name, parameters, annotations }) => [name, annotations?.readOnlyHint, parameters["required"] ?? []]),
  ).toEqual([
    ["read", true, ["path"]],
    ["list", true, []],
    ["glob", true, ["pattern"]],
    ["grep", true, ["pattern"]],
    ["write", false, ["path", "content"]],
    ["edit", false, ["path", "old_text", "new_text"]],
    ["bash", false, ["command"]],
    ["task", true, ["prompt"]],
  ]);
});

test("a text is read with line numbers, in parts that say how to go on", async () => {
  await using scratch = await createScratch();
  await scratch.write("project/a.txt", "one\r\ntwo\nthree\n");
  const { call } = nativeToolsIn(scratch);
  expect((await call("read", { path: "a.txt" })).text).toBe("     1\tone\n     2\ttwo\n     3\tthree");
  expect((await call("read", { path: "a.txt", offset: 2, limit: 1 })).text).toBe(
    "     2\ttwo\n(1 more of 3 lines; go on with offset 3)",
  );
  expect(await call("read", { path: "a.txt", offset: 9 })).toMatchObject({
    isError: true,
    text: expect.stringContaining("has 3 lines; there is no line 9"),
  });
  expect(await call("read", { path: "a.txt", offset: "x" })).toMatchObject({ isError: true });
  expect(await call("read", {})).toMatchObject({ isError: true, text: "The argument path is missing." });
});

test("long lines and long files are cut, and say so", async () => {
  await using scratch = await createScratch();
  await scratch.write("project/wide.txt", "x".repeat(5000));
  await scratch.write("project/long.txt", `${"y".repeat(100)}\n`.repeat(3000));
  const { call } = nativeToolsIn(scratch);
  expect((await call("read", { path: "wide.txt" })).text).toMatch(/x… \(5000 characters\)$/);
  const long = (await call("read", { path: "long.txt" })).text;
  expect(long.length).toBeLessThan(101_000);
  expect(long).toMatch(/more of 3000 lines; go on with offset \d+\)$/);
});

test("an image is given as an image; other binary files, folders and absent files are refused", async () => {
  await using scratch = await createScratch();
  await writeFile(join(scratch.project, "p.png"), Buffer.from(PIXEL, "base64"));
  await writeFile(join(scratch.project, "b.bin"), Buffer.from([1, 0, 2]));
  await writeFile(join(scratch.project, "latin.txt"), Buffer.from([0x66, 0xfc, 0x72]));
  const { call } = nativeToolsIn(scratch);
  expect((await call("read", { path: "p.png" })).result.content).toEqual([
    { type: "image", data: PIXEL, mimeType: "image/png" },
  ]);
  for (const path of ["b.bin", "latin.txt"]) {
    expect(await call("read", { path })).toMatchObject({ isError: true, text: expect.stringContaining("binary file") });
  }
  expect((await call("read", { path: "." })).text).toContain("is a directory");
  expect((await call("read", { path: "none" })).text).toMatch(/none does not exist\.$/);
});

test("write makes the folders that it needs", async () => {
  await using scratch = await createScratch();
  const { call } = nativeToolsIn(scratch);
  expect(await call("write", { path: "a/b/c.txt", content: "ü" })).toMatchObject({
    isError: false,
    text: "a/b/c.txt was written: 2 bytes.",
  });
  expect(await readFile(join(scratch.project, "a/b/c.txt"), "utf8")).toBe("ü");
});

test("nothing is written outside, neither directly nor through links that lead there", async () => {
  await using scratch = await createScratch();
  await mkdir(scratch.file("other"));
  const kept = await scratch.write("other/kept.txt", "kept");
  await symlink(scratch.file("other"), join(scratch.project, "folder"));
  await symlink(kept, join(scratch.project, "file"));
  await symlink(scratch.file("other/new.txt"), join(scratch.project, "dangling"));
  const { call } = nativeToolsIn(scratch);
  for (const path of ["../other/new.txt", kept, "folder/new.txt", "folder/x/y.txt", "file", "dangling"]) {
    expect(await call("write", { path, content: "changed" }), path).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^write may not change .*other/),
    });
  }
  expect(await call("edit", { path: "file", old_text: "kept", new_text: "changed" })).toMatchObject({ isError: true });
  expect(await readFile(kept, "utf8")).toBe("kept");
  expect((await call("read", { path: scratch.file("other/new.txt") })).text).toContain("does not exist");
});

test("further folders may be written to, and others when somebody says so", async () => {
  await using scratch = await createScratch();
  const asked: unknown[] = [];
  const { call } = nativeToolsIn(scratch, {
    roots: [scratch.file("more")],
    approveOutside: ({ tool, path }) => {
      asked.push([tool, path]);
      return path.endsWith("yes.txt");
    },
  });
  expect((await call("write", { path: scratch.file("more/a.txt"), content: "" })).isError).toBe(false);
  expect(asked).toEqual([]);
  expect((await call("write", { path: "../yes.txt", content: "" })).isError).toBe(false);
  expect((await call("write", { path: "../no.txt", content: "" })).isError).toBe(true);
  expect(asked).toEqual([
    ["write", scratch.file("yes.txt")],
    ["write", scratch.file("no.txt")],
  ]);
});

test("an edit keeps the line ends and the byte order mark of the file", async () => {
  await using scratch = await createScratch();
  const path = await scratch.write("project/a.txt", "\uFEFFone\r\ntwo\r\nthree\r\n");
  const { call } = nativeToolsIn(scratch);
  expect(await call("edit", { path: "a.txt", old_text: "one\ntwo", new_text: "1\n2\n2b" })).toMatchObject({
    isError: false,
    text: "a.txt was changed in line 1.",
  });
  expect(await readFile(path, "utf8")).toBe("\uFEFF1\r\n2\r\n2b\r\nthree\r\n");
});

test("an edit must be meant for one place, unless all are", async () => {
  await using scratch = await createScratch();
  const path = await scratch.write("project/a.txt", "x = 1\ny\nx = 1\n");
  const { call } = nativeToolsIn(scratch);
  expect(await call("edit", { path: "a.txt", old_text: "x = 1", new_text: "$&" })).toMatchObject({
    isError: true,
    text: expect.stringContaining("2 times, in lines 1, 3"),
  });
  expect((await call("edit", { path: "a.txt", old_text: "x = 1", new_text: "$&", replace_all: true })).text).toBe(
    "a.txt was changed in lines 1, 3.",
  );
  expect(await readFile(path, "utf8")).toBe("$&\ny\n$&\n");
});

test("changes of one file by calls that run at once are all kept", async () => {
  await using scratch = await createScratch();
  const names = Array.from({ length: 20 }, (_, index) => `line${index};`);
  const path = await scratch.write("project/a.txt", names.join("\n"));
  await symlink(path, join(scratch.project, "link.txt"));
  const { call } = nativeToolsIn(scratch);
  const answers = await Promise.all(
    names.map((name, index) =>
      call("edit", { path: index % 2 === 0 ? "a.txt" : "link.txt", old_text: name, new_text: name.toUpperCase() }),
    ),
  );
  expect(answers.filter(({ isError }) => isError)).toEqual([]);
  expect(await readFile(path, "utf8")).toBe(names.join("\n").toUpperCase());
});

test("an edit that does not fit says what was not found, and what is nearest", async () => {
  await using scratch = await createScratch();
  const path = await scratch.write("project/a.ts", "const a = 1;\n  return compute(value);\n");
  const { call } = nativeToolsIn(scratch);
  const answer = await call("edit", { path: "a.ts", old_text: "return compute(values);", new_text: "" });
  expect(answer.isError).toBe(true);
  expect(answer.text).toContain('old_text is not in a.ts: "return compute(values);"');
  expect(answer.text).toContain('Nearest is line 2: "  return compute(value);"');
  expect((await call("edit", { path: "a.ts", old_text: "zzz", new_text: "" })).text).not.toContain("Nearest");
  expect(await readFile(path, "utf8")).toContain("compute(value)");
});
