import { existsSync } from "node:fs";

import { expect, test } from "vitest";

import { readSurface } from "./support/exported-names.ts";

const PACKAGES = [
  "packages/contracts",
  "packages/capability-discovery",
  "packages/mcp-client",
  "packages/mcp-manager",
  "packages/tool-cache",
  "packages/exa-filter",
  "apps/agent",
];

// What is imported by others is a promise: a change in the files beside is one that they see, and comes with a changeset.
test.each(PACKAGES)("%s exports what it promises", async (folder) => {
  const surface = readSurface(folder);
  const entries = ["index", "testing"].filter((entry) =>
    existsSync(new URL(`../${folder}/src/${entry}.ts`, import.meta.url)),
  );
  const names = entries.map(
    (entry) =>
      `${entry}\n${surface
        .names(entry)
        .map((name) => `  ${name}\n`)
        .join("")}`,
  );
  const name = folder.split("/").at(-1) ?? "";
  await expect(`${surface.exports}\n\n${names.join("\n")}`).toMatchFileSnapshot(`exports/${name}.txt`);
});
