import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { temporaryDirectory } from "../../../../tooling/fixture-servers/index.mjs";
import { BoundedOutput } from "../../src/native-tools/bounded-output.ts";

test("a short output is given whole, and no file is made", async () => {
  await using directory = await temporaryDirectory();
  const output = new BoundedOutput(join(directory.path, "never-used"));
  output.add(Buffer.from("one\r\n"));
  output.add(Buffer.from("two\n"));
  expect(output.finish()).toBe("one\ntwo");
});

test("of a long output the file has everything, however it is cut into chunks", async () => {
  await using directory = await temporaryDirectory();
  const output = new BoundedOutput(directory.path);
  const chunks = Array.from({ length: 70 }, (_, index) => `${index}`.padEnd(999, ".") + "\n");
  for (const chunk of chunks) output.add(Buffer.from(chunk));
  const [head = "", ...lines] = output.finish().split("\n");
  const [, file = ""] =
    /^\(the first 40000 of 70000 bytes are left out here; all of them are in (.*)\)$/.exec(head) ?? [];
  expect(lines).toHaveLength(30);
  expect(readFileSync(file, "utf8")).toBe(chunks.join(""));
});

test("where no file can be written the end of the output is given all the same", async () => {
  await using directory = await temporaryDirectory();
  const output = new BoundedOutput(join(directory.path, "missing"));
  output.add(Buffer.alloc(40_000, "x"));
  output.add(Buffer.from("end"));
  const text = output.finish();
  expect(text).toMatch(/^\(the first 10003 of 40003 bytes are left out here; the whole is lost: ENOENT.*\)\nx+end$/);
});
