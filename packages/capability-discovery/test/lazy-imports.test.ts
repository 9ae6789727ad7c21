import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

/** Packages that a module loads at once, itself or by the modules of this package that it loads at once. */
function eagerImports(file: URL, seen = new Set<string>()): Set<string> {
  const packages = new Set<string>();
  if (seen.has(file.href)) return packages;
  seen.add(file.href);
  const source = readFileSync(file, "utf8");
  for (const [, from] of source.matchAll(/^(?:import|export) (?!type )[^;]*?from "([^"]+)";/gms)) {
    if (from === undefined) continue;
    if (!from.startsWith(".")) packages.add(from);
    else for (const further of eagerImports(new URL(from, file), seen)) packages.add(further);
  }
  return packages;
}

test("reading JSON loads no parser, no writer and no cosmiconfig", () => {
  const packages = eagerImports(new URL("../src/index.ts", import.meta.url));
  expect([...packages].toSorted()).toEqual([
    "@toolgate/contracts",
    "node:events",
    "node:fs",
    "node:fs/promises",
    "node:os",
    "node:path",
    "node:url",
    "node:util",
  ]);
});
