import { expect, test } from "vitest";

import { wrapText } from "../../src/terminal/wrap-text.ts";

test("lines are broken at blanks; a long word stays whole", () => {
  expect(wrapText("one two three", 7)).toEqual(["one two", "three"]);
  expect(wrapText("a-very-long-word b", 5)).toEqual(["a-very-long-word", "b"]);
  expect(wrapText("", 5)).toEqual([]);
});
