import { expect, test } from "vitest";

import { BracketedPaste } from "../../../src/chat/input/bracketed-paste.ts";

const start = { name: "paste-start" };
const end = { name: "paste-end" };

test("keys between the marks are one text, which cannot steer the terminal", () => {
  const paste = new BracketedPaste();
  expect(paste.take("a", { name: "a", sequence: "a" })).toBe(false);
  expect(paste.take(undefined, start)).toBe(true);
  for (const character of ["a", "\r", "\n", "b", "\r", "\t", "漢"]) {
    expect(paste.take(character, { sequence: character })).toBe(true);
  }
  expect(paste.take(undefined, { sequence: "\u001B[31m" })).toBe(true);
  expect(paste.take("\u0007", { sequence: "\u0007" })).toBe(true);
  expect(paste.take(undefined, end)).toBe("a\nb\n\t漢");
  expect(paste.take("c", { name: "c", sequence: "c" })).toBe(false);
});

test("Ctrl-C is the way out of a paste whose end was lost", () => {
  const paste = new BracketedPaste();
  paste.take(undefined, start);
  paste.take("a", { name: "a", sequence: "a" });
  expect(paste.take("\u0003", { name: "c", ctrl: true, sequence: "\u0003" })).toBe(false);
  expect(paste.take("b", { name: "b", sequence: "b" })).toBe(false);
});
