/** That every requirement is proven by a test, and that tests cite requirements that exist. */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";

import { findPackages, listFiles } from "./workspace.mjs";

/**
 * @param {string} root
 * @returns {{ known: string[], cited: Map<string, string[]>, problems: string[] }} `cited`: the files by id
 */
export function checkRequirements(root) {
  const document = readFileSync(join(root, "docs", "requirements.md"), "utf8");
  const known = [...document.matchAll(/^- \*\*([LX]\d{2})\*\*/gm)].map((match) => match[1] ?? "");
  const folders = [
    ...findPackages(root).map(({ directory }) => join(directory, "test")),
    join(root, "tests"),
    join(root, "tooling", "test"),
  ];
  /** @type {Map<string, string[]>} */
  const cited = new Map();
  for (const file of folders.flatMap(listFiles).filter((path) => path.endsWith(".test.ts"))) {
    const where = relative(root, file).replaceAll("\\", "/");
    for (const id of idsCitedIn(readFileSync(file, "utf8"))) cited.set(id, [...(cited.get(id) ?? []), where]);
  }
  return {
    known,
    cited,
    problems: [
      ...known
        .filter((id, index) => known.indexOf(id) !== index)
        .map((id) => `docs/requirements.md: ${id} is there twice`),
      // Ids with L are what the system must do; those with X are beyond it and may be proven elsewhere.
      ...known.filter((id) => id.startsWith("L") && !cited.has(id)).map((id) => `${id} is proven by no test`),
      ...[...cited]
        .filter(([id]) => !known.includes(id))
        .map(([id, files]) => `${files.join(", ")}: cites ${id}, which docs/requirements.md does not have`),
    ],
  };
}

/** @param {string} source */
function idsCitedIn(source) {
  const ids = [...source.matchAll(/\bverifies\(\s*["'`]([^"'`]*)["'`]/g)].flatMap((match) =>
    (match[1] ?? "").trim().split(/\s+/),
  );
  return [...new Set(ids)];
}
