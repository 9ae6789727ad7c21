/**
 * Proves that the tests of the requirements are not empty: breaks each behaviour on purpose, one mutation at a time, and
 * expects that a test which cites the requirement fails.
 *
 *     node tooling/mutation/check-mutations.mjs [ids…]      without ids: all of docs/requirements.md
 *
 * Before anything is broken, the citing tests must pass. A mutation counts as caught when a citing test fails; a run that
 * does not end, or a file that cannot be loaded, proves nothing. Every mutated file is restored, also after Ctrl-C.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { readWorkspace } from "../check-workspace/read-workspace.mjs";
import { mutations } from "./mutations.mjs";

const ROOT = join(fileURLToPath(import.meta.url), "..", "..", "..");
const RUN_LIMIT_MS = 120_000;
// A mutation that makes a test wait for ever is caught; it need not take the suite's whole minute.
const TEST_TIMEOUT_MS = 20_000;
/** How often a run's processes are noted: a broken teardown may leave them behind, without parent and environment. */
const LOOK_INTERVAL_MS = 100;

/** @typedef {{ passed: string[], failed: string[], ended: boolean }} RunResult names of tests */

const directory = mkdtempSync(join(tmpdir(), "toolgate-mutation-"));
/** @type {(() => void) | undefined} */
let restore;
/** @type {import("node:child_process").ChildProcess | undefined} */
let running;
/** Start times by process id of what the run under way has started. @type {Map<number, string>} */
const noted = new Map();

process.on("exit", () => {
  restore?.();
  stop();
  rmSync(directory, { recursive: true, force: true });
});
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, () => process.exit(1));

const { files } = readWorkspace(ROOT);
const requirements = files.find((file) => file.path === "docs/requirements.md")?.text ?? "";
const promised = [...requirements.matchAll(/^- \*\*([LX]\d\d)\*\*/gm)].map(([, id = ""]) => id);
const wanted = process.argv.length > 2 ? process.argv.slice(2) : promised;

/** @type {Map<string, boolean>} */
const outcomes = new Map();
for (const id of wanted) {
  const tests = findCitingFiles(id);
  const own = mutations.filter((mutation) => mutation.id === id);
  if (tests.length === 0) {
    console.log(`${id}  skipped: no test cites it`);
    continue;
  }
  const before = await runTests(id, tests);
  const isSound = before.ended && before.failed.length === 0 && before.passed.length > 0;
  if (!isSound) console.log(`${id}  FAILED: unbroken, its tests do not pass: ${before.failed.join("; ")}`);
  if (own.length === 0) console.log(`${id}  FAILED: there is no mutation for it`);
  let caughtAll = isSound && own.length > 0;
  for (const mutation of isSound ? own : []) caughtAll = (await isCaught(mutation, tests)) && caughtAll;
  outcomes.set(id, caughtAll);
}

const failed = [...outcomes].filter(([, passed]) => !passed).map(([id]) => id);
console.log("");
for (const [id, passed] of outcomes) console.log(`${id}  ${passed ? "passed" : "FAILED"}`);
console.log(`${outcomes.size - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** @param {string} id @returns {string[]} paths of the test files that cite it */
function findCitingFiles(id) {
  const citation = new RegExp(`\\bverifies\\(\\s*"[^"]*\\b${id}\\b[^"]*"`);
  return files.filter(({ path, text }) => path.endsWith(".test.ts") && citation.test(text)).map(({ path }) => path);
}

/** @param {import("./mutations.mjs").Mutation} mutation @param {string[]} tests */
async function isCaught({ id, breaks, file, find, replace }, tests) {
  const path = join(ROOT, file);
  const original = readFileSync(path, "utf8");
  if (original.split(find).length !== 2) {
    console.log(`${id}  FAILED: ${file} does not hold the text of "${breaks}" exactly once`);
    return false;
  }
  restore = () => writeFileSync(path, original);
  writeFileSync(
    path,
    original.replace(find, () => replace),
  );
  const result = await runTests(id, tests);
  restore();
  restore = undefined;
  const [first] = result.failed;
  const verdict = first === undefined ? `NOT CAUGHT${result.ended ? "" : " (the run was stopped)"}` : "caught";
  console.log(`${id}  ${verdict}: ${breaks} (${file})${first === undefined ? "" : ` by ${first}`}`);
  return first !== undefined;
}

/** @param {string} id @param {string[]} tests @returns {Promise<RunResult>} */
async function runTests(id, tests) {
  const report = join(directory, "report.json");
  rmSync(report, { force: true });
  const projects = new Set(tests.map((path) => projectOf(path)));
  const child = spawn(
    "npx",
    ["vitest", "run", "--reporter=json", `--outputFile=${report}`, `--testTimeout=${TEST_TIMEOUT_MS}`].concat(
      ["-t", `\\[[^\\]]*${id}`],
      [...projects].map((name) => `--project=${name}`),
      tests,
    ),
    { cwd: ROOT, stdio: "ignore", detached: true },
  );
  running = child;
  const looking = setInterval(noteDescendants, LOOK_INTERVAL_MS);
  let ended = true;
  const limit = setTimeout(() => {
    ended = false;
    stop();
  }, RUN_LIMIT_MS);
  await new Promise((resolve) => child.once("close", resolve));
  clearTimeout(limit);
  clearInterval(looking);
  stop();
  return ended ? { ended, ...readReport(report) } : { ended, passed: [], failed: [] };
}

/** A project is called after its directory; the tests at the top are one of their own. @param {string} path */
function projectOf(path) {
  const [area, name = ""] = path.split("/");
  return area === "tests" ? "workspace" : area === "tooling" ? "tooling" : name;
}

/** @param {string} path @returns {{ passed: string[], failed: string[] }} */
function readReport(path) {
  /** @type {{ testResults: { name: string, assertionResults: { title: string, status: string }[] }[] }} */
  const { testResults } = JSON.parse(readFileSync(path, "utf8"));
  /** @param {string} status */
  const named = (status) =>
    testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter((result) => result.status === status)
        .map(({ title }) => `${relative(ROOT, name)} "${title}"`),
    );
  return { passed: named("passed"), failed: named("failed") };
}

/** @returns {Map<number, { parent: number, started: string }>} empty where there is no /proc */
function readProcesses() {
  const processes = new Map();
  if (process.platform !== "linux") return processes;
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      processes.set(Number(name), { parent: Number(fields[1]), started: fields[19] });
    } catch {
      // It has ended meanwhile.
    }
  }
  return processes;
}

function noteDescendants() {
  const processes = readProcesses();
  const roots = [...noted].filter(([pid, started]) => processes.get(pid)?.started === started).map(([pid]) => pid);
  const family = new Set([running?.pid ?? -1, ...roots]);
  // A set that grows while it is walked through.
  for (const pid of family) {
    const found = processes.get(pid);
    if (found !== undefined) noted.set(pid, found.started);
    for (const [child, { parent }] of processes) if (parent === pid) family.add(child);
  }
}

/** Ends the run under way and what it left behind. */
function stop() {
  const processes = readProcesses();
  const left = [...noted].filter(([pid, started]) => processes.get(pid)?.started === started).map(([pid]) => pid);
  for (const pid of [...(running?.pid === undefined ? [] : [-running.pid]), ...left]) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
  running = undefined;
  noted.clear();
}
