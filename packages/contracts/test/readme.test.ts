import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { compileReadmeSnippets } from "../../../tooling/test-support/readme-snippets.mjs";

test("the README's snippets compile", () => {
  const problems = compileReadmeSnippets(new URL("../README.md", import.meta.url));
  expect(problems).toEqual([]);
  expect(readFileSync(new URL("../README.md", import.meta.url), "utf8").split("\n").length).toBeLessThanOrEqual(150);
});
