import { readdirSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

test("the list of kinds names every test of this folder", () => {
  const folder = new URL("./", import.meta.url);
  const list = readFileSync(new URL("README.md", folder), "utf8");
  const names = readdirSync(folder).flatMap((file) => /^(.*)\.test\.ts$/.exec(file)?.[1] ?? []);
  expect(names.filter((name) => name !== "collection" && !list.includes(`\`${name}\``))).toEqual([]);
});
