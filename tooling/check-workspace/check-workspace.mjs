/** Checks what no compiler sees: the shape of the packages, who uses whom, and what the texts give away. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { publint } from "publint";
import { formatMessage } from "publint/utils";

import { checkPackageEdges } from "./package-edges.mjs";
import { checkPackageShape } from "./package-shape.mjs";
import { checkTexts } from "./texts.mjs";
import { findPackages } from "./workspace.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

const problems = [...checkPackageShape(root), ...checkPackageEdges(root), ...checkTexts(root), ...(await checkBuilt())];
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? "The workspace keeps its rules." : `${problems.length} problems.`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** What publint says of the packages that are built. */
async function checkBuilt() {
  const found = [];
  for (const { folder, directory, manifest } of findPackages(root)) {
    if (!existsSync(join(directory, "dist", "index.js"))) {
      console.log(`${folder} is not built, so publint has not looked at it.`);
      continue;
    }
    const { messages } = await publint({ pkgDir: directory, strict: true, pack: false });
    // The source condition is for this workspace; its files are not published, and nobody else sets it.
    const relevant = messages.filter((message) => !message.path.includes("@toolgate/source"));
    found.push(...relevant.map((message) => `${folder}: ${formatMessage(message, manifest, { color: false })}`));
  }
  return found;
}
