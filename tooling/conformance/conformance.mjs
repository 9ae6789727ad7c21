/**
 * Runs the official conformance runner against a client program made of this workspace's public API.
 *
 *     npm run conformance                         everything, one scenario at a time
 *     npm run conformance -- sse-retry auth/iss   the scenarios whose line has one of these texts in it
 *     npm run conformance -- --list [text…]       only lists them
 *
 * `--report FILE` also writes the counts to a file, as JSON.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { installRunner } from "./install-runner.mjs";
import { findProblems } from "./results.mjs";
import { runScenario, stopScenario } from "./run-scenario.mjs";
import { listArguments, readListing, scenarioSets, selectScenarios } from "./scenarios.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: "boolean", default: false }, report: { type: "string" } },
});

process.on("exit", () => stopScenario());
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, () => process.exit(1));

const runner = installRunner();
const selected = selectScenarios(scenarioSets.flatMap(listScenarios), positionals);
if (values.list) for (const { label } of selected) console.log(label);
else await runAll();

async function runAll() {
  let passed = 0;
  let failed = 0;
  // One at a time: several are about the moment of a reconnection.
  for (const scenario of selected) {
    const started = performance.now();
    const problems = findProblems(await runScenario(scenario, runner));
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${problems.length === 0 ? "passed" : "FAILED"}  ${scenario.label} (${seconds} s)`);
    for (const problem of problems) console.log(`          ${problem}`);
    if (problems.length === 0) passed += 1;
    else failed += 1;
  }
  if (values.report !== undefined) writeFileSync(values.report, JSON.stringify({ passed, failed }));
  console.log(`${passed} passed, ${failed} failed`);
  // A selection of nothing is a mistyped one.
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}

/** @param {import("./scenarios.mjs").ScenarioSet} set */
function listScenarios(set) {
  const { status, stdout, stderr } = spawnSync(runner.node, [runner.entry(set.runner), ...listArguments(set)], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The runner could not list ${set.name}: ${stderr}`);
  return readListing(set, stdout);
}
