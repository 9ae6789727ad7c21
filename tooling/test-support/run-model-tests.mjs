/** Runs the model-based tests more often than the suite does: `npm run test:model -- --runs 5000`. */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { runs: { type: "string", default: "5000" } } });
if (!/^[1-9]\d*$/.test(values.runs)) throw new Error(`--runs: ${values.runs} is not a whole number.`);
const { status } = spawnSync("npx", ["vitest", "run", "--project", "mcp-manager", "living-session.model"], {
  env: { ...process.env, TOOLGATE_MODEL_RUNS: values.runs },
  stdio: "inherit",
  shell: process.platform === "win32",
});
process.exitCode = status ?? 1;
