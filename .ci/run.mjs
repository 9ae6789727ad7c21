/** Runs the README's test command and every other check, and adds up their results. Needs nothing installed. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const scratch = mkdtempSync(join(tmpdir(), "toolgate-ci-"));
const report = join(scratch, "tests.json");
const conformanceReport = join(scratch, "conformance.json");
let passed = 0;
let failed = 0;

installSystemPackages(["tmux"]);

// The README's own command; the reporters only add a file to what it prints.
const tests = run("Tests", "npm", [
  "test",
  "--",
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${report}`,
]);
if (existsSync(report)) {
  const result = JSON.parse(readFileSync(report, "utf8"));
  passed += result.numPassedTests;
  failed += result.numFailedTests;
  // A run can fail without a failed test: a file that does not load, a process left behind.
  if (!tests && result.numFailedTests === 0) failed += 1;
} else {
  failed += 1;
}

run("Conformance", "npm", ["run", "conformance", "--", `--report=${conformanceReport}`]);
if (existsSync(conformanceReport)) {
  const result = JSON.parse(readFileSync(conformanceReport, "utf8"));
  passed += result.passed;
  failed += result.failed;
} else {
  // It did not come to its end.
  failed += 1;
}

for (const [title, ...command] of [
  ["Types", "npm", "run", "typecheck"],
  ["Lint", "npm", "run", "lint"],
  ["Format", "npm", "run", "format:check"],
  ["Workspace", "npm", "run", "check:workspace"],
  ["Unused code", "npm", "run", "check:unused"],
  ["Packages", "npm", "run", "check:packages"],
]) {
  const [name = "", ...args] = command;
  if (run(title, name, args)) passed += 1;
  else failed += 1;
}

rmSync(scratch, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

/** @param {string} title @param {string} command @param {string[]} args */
function run(title, command, args) {
  console.log(`\n== ${title}: ${[command, ...args].join(" ")}`);
  const { status } = spawnSync(command, args, { stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) console.log(`== ${title} failed`);
  return status === 0;
}

/** @param {string[]} names commands whose Debian packages bear the same name */
function installSystemPackages(names) {
  const missing = names.filter((name) => spawnSync("sh", ["-c", `command -v ${name}`]).status !== 0);
  if (missing.length === 0) return;
  spawnSync("apt-get", ["update"], { stdio: "inherit" });
  const { status } = spawnSync("apt-get", ["install", "-y", ...missing], { stdio: "inherit" });
  if (status !== 0)
    console.log(`Could not install ${missing.join(", ")}: the tests that need them say that they are skipped.`);
}
