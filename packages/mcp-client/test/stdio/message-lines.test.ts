import { array, assert, nat, property, string } from "fast-check";
import { expect, test } from "vitest";

import { MessageLines } from "../../src/stdio/message-lines.ts";

function collect(limit: number) {
  const lines: string[] = [];
  const oversized: { head: string; tail: string; bytes: number }[] = [];
  const reader = new MessageLines(limit, {
    line: (text) => lines.push(text),
    oversized: (head, tail, bytes) => oversized.push({ head, tail, bytes }),
  });
  return { reader, lines, oversized };
}

test("however the bytes are cut, the lines are the same", () => {
  const line = string({ unit: "grapheme" }).map((text) => text.replaceAll("\n", ""));
  assert(
    property(array(line), array(nat(40)), (written, cuts) => {
      const bytes = Buffer.from(written.map((text) => `${text}\n`).join(""));
      const { reader, lines } = collect(1_000_000);
      let start = 0;
      for (const cut of cuts) {
        reader.push(bytes.subarray(start, start + cut));
        start += cut;
      }
      reader.push(bytes.subarray(start));
      expect(lines).toEqual(written);
    }),
  );
});

test("a line that is too long is dropped, and the next one is fine", () => {
  const { reader, lines, oversized } = collect(10);
  for (const part of ["abcdefgh", "ijklm", "nop\nnext", "\n"]) reader.push(Buffer.from(part));
  expect(lines).toEqual(["next"]);
  expect(oversized).toEqual([{ head: "abcdefghijklm", tail: "abcdefghijklmnop", bytes: 16 }]);
});

test("the end of the stream ends the last line", () => {
  const { reader, lines } = collect(10);
  reader.push(Buffer.from("last"));
  reader.end();
  reader.end();
  expect(lines).toEqual(["last"]);
});
