import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));

/** Packages that a built file and everything that it imports at once take. */
function packagesOf(file: string, seen: Set<string> = new Set()): Set<string> {
  const packages = new Set<string>();
  if (seen.has(file)) return packages;
  seen.add(file);
  const text = readFileSync(file, "utf8");
  for (const [, specifier = ""] of text.matchAll(/^(?:import|export)\b[^"]*?"([^"]+)";/gm)) {
    if (!specifier.startsWith(".")) packages.add(specifier);
    else for (const name of packagesOf(resolve(dirname(file), specifier), seen)) packages.add(name);
  }
  return packages;
}

test("no provider's package is loaded before a model of it is chosen", () => {
  for (const entry of ["index.js", "cli/main.js"]) {
    const packages = packagesOf(resolve(dist, entry));
    expect([...packages].filter((name) => name.startsWith("@ai-sdk/") || name === "minisearch")).toEqual([]);
  }
  // That imports are seen at all.
  expect(packagesOf(resolve(dist, "index.js"))).toContain("@toolgate/contracts");
});
