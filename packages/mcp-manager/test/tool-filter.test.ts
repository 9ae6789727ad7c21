import fc from "fast-check";
import { expect, test } from "vitest";

import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { createNameMatcher, createToolFilter } from "../src/tool-filter.ts";

test(verifies("X07", "names and globs are kept and left out, and leaving out wins"), () => {
  const passes = createToolFilter({ includeTools: ["read_*", "list"], excludeTools: ["read_secret", "?ist_x"] });
  expect(["read_file", "list", "read_secret", "write_file", "list_x"].filter(passes)).toEqual(["read_file", "list"]);
});

test("without filters everything passes, and an empty list of names lets nothing through", () => {
  expect(createToolFilter({})("anything")).toBe(true);
  expect(createToolFilter({ includeTools: [] })("anything")).toBe(false);
});

test("characters that mean something in a regular expression are plain in a glob", () => {
  const passes = createToolFilter({ includeTools: ["a.b*", "c(d)?"] });
  expect(["a.bc", "axbc", "c(d)e", "c(d)"].filter(passes)).toEqual(["a.bc", "c(d)e"]);
});

test(verifies("X07", "case counts, several stars are as one, and a star fits nothing too"), () => {
  const passes = createToolFilter({ includeTools: ["Search*", "a**b*c"] });
  expect(["Search", "search", "SearchAll", "abc", "axxbyyc", "axxbyy"].filter(passes)).toEqual([
    "Search",
    "SearchAll",
    "abc",
    "axxbyyc",
  ]);
});

test("a question mark fits one character, also one of two code units", () => {
  expect(["a😀b", "ab", "axb", "axxb"].filter(createNameMatcher("a?b"))).toEqual(["a😀b", "axb"]);
});

test("a glob of many stars answers at once for a long name that does not fit", () => {
  expect(createNameMatcher(`${"*a".repeat(50)}*b`)("a".repeat(20_000))).toBe(false);
});

test("globs fit what the same regular expression fits", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "*", "?"), maxLength: 8 });
  const names = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
  fc.assert(
    fc.property(letters, names, (pattern, name) => {
      const expression = new RegExp(`^${pattern.replaceAll("*", ".*").replaceAll("?", ".")}$`);
      expect(createNameMatcher(pattern)(name)).toBe(expression.test(name));
    }),
  );
});
