/** Checks what holds for the workspace as a whole. Prints every problem; the exit status is 1 when there is one. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { checkEdges } from "./check-edges.mjs";
import { checkRequirements } from "./check-requirements.mjs";
import { checkSkeleton } from "./check-skeleton.mjs";
import { checkTexts } from "./check-texts.mjs";
import { readWorkspace } from "./read-workspace.mjs";

const root = join(fileURLToPath(import.meta.url), "..", "..", "..");
const workspace = readWorkspace(root);
const problems = [checkEdges, checkSkeleton, checkTexts, checkRequirements].flatMap((check) => check(workspace));

for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? "The workspace is in order." : `${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
