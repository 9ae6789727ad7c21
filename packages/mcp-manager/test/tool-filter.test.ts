import { expect, test } from "vitest";

import { createToolFilter } from "../src/tool-filter.ts";

test("names and globs are kept and left out, and leaving out wins", () => {
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
