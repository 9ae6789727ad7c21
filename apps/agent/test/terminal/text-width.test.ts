import { expect, test } from "vitest";

import { alignColumns } from "../../src/terminal/columns.ts";
import { padEnd, textWidth, truncate } from "../../src/terminal/text-width.ts";

test("the width of a text counts columns, not characters", () => {
  expect(textWidth("plain")).toBe(5);
  expect(textWidth("\u001b[31mred\u001b[39m")).toBe(3);
  expect(textWidth("日本")).toBe(4);
  expect(textWidth("e\u0301")).toBe(1);
  expect(textWidth("👩‍👩‍👧")).toBe(2);
  expect(textWidth("✓ ok")).toBe(4);
});

test("columns line up whatever their texts are made of", () => {
  const lines = alignColumns([
    ["日本", "a"],
    ["\u001b[1mname\u001b[22m", "b"],
    ["x", "c"],
  ]);
  expect(lines.map((line) => textWidth(line))).toEqual([7, 7, 7]);
  expect(lines[2]).toBe("x     c");
});

test("no line of a table ends with blanks, and numbers can be flush right", () => {
  const rows = [
    ["a", "7 ms", ""],
    ["b", "120 ms", "x"],
  ];
  expect(alignColumns(rows, { indent: "  ", right: [1] })).toEqual(["  a    7 ms", "  b  120 ms  x"]);
});

test("a text is cut by columns and never in the middle of a character", () => {
  expect(truncate("日本語", 6)).toBe("日本語");
  expect(truncate("日本語", 5)).toBe("日本…");
  expect(truncate("日本語", 4)).toBe("日…");
  expect(truncate("abc", 0)).toBe("");
});

test("filling up never cuts", () => {
  expect(padEnd("abc", 2)).toBe("abc");
  expect(padEnd("a", 3)).toBe("a  ");
});
