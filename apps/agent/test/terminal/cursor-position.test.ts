import { expect, test } from "vitest";

import { advanceCursor, countRows, sliceRows } from "../../src/terminal/cursor-position.ts";

test.each([
  ["", 10, { row: 0, column: 0 }],
  ["12345", 10, { row: 0, column: 5 }],
  ["1234567890", 10, { row: 0, column: 10 }],
  ["12345678901", 10, { row: 1, column: 1 }],
  ["12345678901234567890", 10, { row: 1, column: 10 }],
  ["漢字漢字", 10, { row: 0, column: 8 }],
  ["漢字漢字漢字", 5, { row: 2, column: 4 }],
  ["é\u001B[1mbold\u001B[22m", 10, { row: 0, column: 5 }],
  ["é\tx", 10, { row: 0, column: 9 }],
  ["é12345678\tx", 10, { row: 0, column: 10 }],
])("after %j in %d columns the cursor stands where a terminal has it", (text, columns, position) => {
  expect(advanceCursor(text, columns)).toEqual(position);
});

test("a text in two pieces ends where it does in one", () => {
  const text = "some words, 漢字 and 123456789";
  for (const columns of [5, 7, 10, 80]) {
    const half = advanceCursor(text.slice(0, 13), columns);
    expect(advanceCursor(text.slice(13), columns, half)).toEqual(advanceCursor(text, columns));
  }
});

test("rows of a text can be taken out of it", () => {
  const text = "ab漢字cdefg";
  expect(countRows(text, 5)).toBe(3);
  const rows = [0, 1, 2].map((row) => sliceRows(text, 5, [row, row + 1]));
  expect(rows).toEqual(["ab漢", "字cde", "fg"]);
});
