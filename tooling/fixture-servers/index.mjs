/** What tests use to start fixture servers and to wait for what they do. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export { startHttpFixture } from "./http-server.mjs";

const stdioServer = fileURLToPath(new URL("stdio-server.mjs", import.meta.url));

/**
 * A server entry that starts the stdio fixture.
 *
 * @param {import("./fixture-options.mjs").FixtureOptions} [options]
 * @returns {{ command: string, args: string[] }}
 */
export function fixtureServer(options = {}) {
  return { command: process.execPath, args: [stdioServer, JSON.stringify(options)] };
}

/**
 * Waits until something is so, by asking every few milliseconds: for facts outside of the process that send no event.
 *
 * @template T
 * @param {() => T | Promise<T>} predicate truthy when it is so; an exception counts as not yet
 * @param {{ timeout?: number, what?: string }} [options] `timeout` in milliseconds, default 20000; `what` is named when
 *   it is over
 * @returns {Promise<T>} what the predicate returned
 */
export async function waitFor(predicate, options = {}) {
  const { timeout = 20_000, what = predicate.toString() } = options;
  const end = performance.now() + timeout;
  for (;;) {
    /** @type {unknown} */
    let failure;
    try {
      const value = await predicate();
      if (value) return value;
    } catch (error) {
      failure = error;
    }
    if (performance.now() > end)
      throw new Error(`Not so after ${timeout} ms: ${what}`, failure === undefined ? {} : { cause: failure });
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/**
 * Whether a process runs; one that has ended and that nobody has waited for does not.
 *
 * @param {number} pid
 */
export function processAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ESRCH") return false;
  }
  if (process.platform !== "linux") return true;
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/**
 * A directory of the caller's own, removed by `remove` or at the end of an `using` block.
 *
 * @returns {{ path: string, file: (...names: string[]) => string, remove: () => void, [Symbol.dispose]: () => void }}
 */
export function temporaryDirectory() {
  // The real path: on macOS the temporary folder is a link, and servers report where they really are.
  const path = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-test-")));
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  return { path, file: (...names) => join(path, ...names), remove, [Symbol.dispose]: remove };
}

/**
 * The lines of a fixture's `pidFile` or `logFile` so far, parsed; none when there is no file yet.
 *
 * @param {string} file
 * @returns {any[]}
 */
export function readLines(file) {
  try {
    return readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return [];
    throw error;
  }
}
