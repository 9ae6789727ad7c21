import { expect, test } from "vitest";

import { foldText, isBinaryLike } from "../../src/terminal/fold-text.ts";

test("a text is folded to its first lines, and the rest is counted", () => {
  expect(foldText("1\n2\n3\n4\n5\n", { lines: 2 })).toEqual({ lines: ["1", "2"], hidden: 3, isCut: false });
});

test("a line that would take the place of its own notice is shown", () => {
  expect(foldText("1\n2\n3", { lines: 2 })).toEqual({ lines: ["1", "2", "3"], hidden: 0, isCut: false });
});

test("lines are cut to the width, which is told from lines that end that way themselves", () => {
  expect(foldText("and so on …\n\tindented", { lines: 2, width: 11 })).toEqual({
    lines: ["and so on …", "    indent…"],
    hidden: 0,
    isCut: true,
  });
  expect(foldText("so on…", { lines: 1, width: 10 }).isCut).toBe(false);
});

test("nothing has no lines", () => {
  expect(foldText("\n \n", { lines: 5 })).toEqual({ lines: [], hidden: 0, isCut: false });
});

test("data is told from text, also from text in colour or in other scripts", () => {
  expect(isBinaryLike("\u0000\u0001PNG\ufffd\ufffd")).toBe(true);
  expect(isBinaryLike("\u001b[31m日本語\u001b[39m\r\n\ttext")).toBe(false);
  expect(isBinaryLike("")).toBe(false);
});
