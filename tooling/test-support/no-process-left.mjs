/**
 * Global setup of every test project: when the project's tests are over, no process that they started may be left.
 *
 * Children of the library carry the marker variable of their host in their environment, and everything else that a test
 * starts is a descendant of the test runner, so both are looked for. Elsewhere than on Linux there is no /proc to look
 * into, and the check says so.
 */
import { readdirSync, readFileSync } from "node:fs";

const MARKER = "TOOLGATE_PROCESS_MARKER=";

export default function setup() {
  if (process.platform !== "linux") {
    console.warn("The check for processes left behind needs /proc and is skipped on this platform.");
    return undefined;
  }
  const before = new Set(markedProcesses().map((found) => found.pid));
  return () => {
    const left = markedProcesses().filter((found) => !before.has(found.pid));
    if (left.length > 0) {
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
        if (!readFileSync(`/proc/${pid}/environ`, "utf8").includes(MARKER)) return [];
        if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))) return [];
        return [{ pid, command: readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim() }];
      } catch {
        // It ended while we looked, or it belongs to someone else.
        return [];
      }
    });
}
