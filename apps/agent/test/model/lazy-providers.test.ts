import { readdirSync, readFileSync } from "node:fs";
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

test("neither the AI SDK nor a provider's package is loaded before a model of it is chosen", () => {
  for (const entry of ["index.js", "cli/main.js"]) {
    const packages = packagesOf(resolve(dist, entry));
    expect([...packages].filter((name) => /^(?:ai|@ai-sdk\/.*|minisearch)$/.test(name))).toEqual([]);
  }
  // That imports are seen at all.
  expect(packagesOf(resolve(dist, "index.js"))).toContain("@toolgate/contracts");
});

test("a model is chosen without the AI SDK, which it takes when it answers for the first time", () => {
  const chunks = readdirSync(dist).filter((name) => /^(?:choose-model|language-model)-.*\.js$/.test(name));
  expect(chunks.length).toBeGreaterThan(0);
  for (const chunk of chunks) {
    const packages = [...packagesOf(resolve(dist, chunk))];
    // Failures are recognised by a class of this one, which is small.
    expect(packages.filter((name) => /^(?:ai|@ai-sdk\/.*)$/.test(name) && name !== "@ai-sdk/provider")).toEqual([]);
  }
  const texts = chunks.map((chunk) => readFileSync(resolve(dist, chunk), "utf8"));
  expect(texts.join("")).toContain('import("ai")');
});
