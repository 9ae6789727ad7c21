/**
 * Global setup of every test project: when the project's tests are over, no process that they started may be left.
 *
 * Children of the library carry the marker variable in their environment, which begins with the pid of their host. Those
 * of a host that runs outside of this test run are somebody else's and are passed over. Elsewhere than on Linux there is
 * no /proc to look into, and the check says so.
 */
import { readdirSync, readFileSync } from "node:fs";

const MARKER = /(?:^|\0)TOOLGATE_PROCESS_MARKER=(\d+)-/;

export default function setup() {
  if (process.platform !== "linux") {
    console.warn("The check for processes left behind needs /proc and is skipped on this platform.");
    return undefined;
  }
  const before = new Set(markedProcesses().map((found) => found.pid));
  return () => {
    const left = markedProcesses().filter((found) => !before.has(found.pid) && !belongsToOthers(found.host));
    if (left.length > 0) {
      // The runner shows an error at its end without failing for it.
      process.exitCode = 1;
      throw new Error(
        `Processes left behind by the tests:\n${left.map((found) => `  ${found.pid} ${found.command}`).join("\n")}`,
      );
    }
  };
}

function markedProcesses() {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [, host] = MARKER.exec(readFileSync(`/proc/${pid}/environ`, "utf8")) ?? [];
        if (host === undefined) return [];
        if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))) return [];
        return [
          {
            pid,
            host: Number(host),
            command: readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim(),
          },
        ];
      } catch {
        // It ended while we looked, or it belongs to someone else.
        return [];
      }
    });
}

/**
 * Whether a host lives and does not descend from this process.
 *
 * @param {number} pid
 */
function belongsToOthers(pid) {
  if (parentOf(pid) === undefined) return false;
  for (
    let current = /** @type {number | undefined} */ (pid);
    current !== undefined && current > 1;
    current = parentOf(current)
  ) {
    if (current === process.pid) return false;
  }
  return true;
}

/** @param {number} pid */
function parentOf(pid) {
  try {
    const [, parent] = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return parent === undefined ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}
