import { array, assert, constantFrom, oneof, property, string } from "fast-check";
import { expect, test } from "vitest";

import { sanitizeLine, sanitizeText } from "../../src/terminal/sanitize-text.ts";

test("escape sequences of servers never reach the terminal", () => {
  expect(sanitizeText("\u001b[2J\u001b[31mred\u001b[0m")).toBe("red");
  expect(sanitizeText("\u001b]0;title\u0007text")).toBe("text");
  expect(sanitizeText("\u001b]52;c;c2VjcmV0\u001b\\text")).toBe("text");
  expect(sanitizeText("a\u009b31mb")).toBe("ab");
  expect(sanitizeText("back\b\bspace\rover")).toBe("backspaceover");
});

test("what turns a line around or cannot be seen is taken out", () => {
  expect(sanitizeText("safe\u202etxt.exe\u2066\u200b")).toBe("safetxt.exe");
  // The Arabic letter mark, a soft hyphen, an annotation, and letters that only machines read.
  expect(sanitizeText("a\u061cb\u00adc\ufff9d\u{e0041}\u{e007f}e")).toBe("abcde");
});

test("line feeds and tabs stay, and one line is one line", () => {
  expect(sanitizeText("a\r\n\tb")).toBe("a\n\tb");
  expect(sanitizeLine(" a\n\tb \u001b[1mc")).toBe("a b c");
});

test("nothing that a terminal obeys is left of any text", () => {
  const piece = oneof(string({ unit: "binary" }), constantFrom("\u001b", "\u001b]", "\u009d", "\u0007", "["));
  assert(
    property(array(piece), (pieces) => {
      // oxlint-disable-next-line no-control-regex -- these are what must not be left
      expect(sanitizeText(pieces.join(""))).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    }),
  );
});
