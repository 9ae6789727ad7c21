/** Runs one scenario of the official runner against our client program. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const CLIENT = fileURLToPath(new URL("client.mjs", import.meta.url));
/** The runner ends a client after 30 s; this bound only ends a runner that hangs. */
const RUN_LIMIT_MS = 60_000;

/** Ends the run under way, if there is one. @type {() => void} */
export let stopScenario = () => {};

/**
 * @param {import("./scenarios.mjs").Scenario} scenario
 * @param {ReturnType<import("./install-runner.mjs").installRunner>} runner
 * @returns {Promise<import("./results.mjs").Run>}
 */
export async function runScenario({ name, set }, { node, entry }) {
  const directory = mkdtempSync(join(tmpdir(), "toolgate-conformance-"));
  const child = spawn(
    node,
    [entry(set.runner), "client", "--command", `"${process.execPath}" "${CLIENT}"`, "--scenario", name]
      .concat(set.revision === undefined ? [] : ["--spec-version", set.revision])
      .concat("--output-dir", directory),
    // A group of its own: when the runner gives a client up, it ends only the shell around it.
    { stdio: ["ignore", "pipe", "pipe"], detached: process.platform !== "win32" },
  );
  stopScenario = () => stop(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  const limit = setTimeout(stopScenario, RUN_LIMIT_MS);
  try {
    /** @type {number | null} */
    const exitCode = await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", resolve);
    });
    stop(child);
    await new Promise((resolve) => (child.stdout.closed ? resolve(undefined) : child.once("close", resolve)));
    return { exitCode, checks: readChecks(directory), output };
  } finally {
    clearTimeout(limit);
    stopScenario = () => {};
    rmSync(directory, { recursive: true, force: true });
  }
}

/** @param {string} directory @returns {import("./results.mjs").Check[]} */
function readChecks(directory) {
  const file = readdirSync(directory, { recursive: true, encoding: "utf8" }).find(
    (path) => basename(path) === "checks.json",
  );
  return file === undefined ? [] : JSON.parse(readFileSync(join(directory, file), "utf8"));
}

/** @param {import("node:child_process").ChildProcess} child */
function stop(child) {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? child.pid : -child.pid, "SIGKILL");
  } catch {
    // It has ended, and all of its group.
  }
}
