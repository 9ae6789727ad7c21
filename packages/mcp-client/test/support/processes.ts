import { readFileSync } from "node:fs";

/** Whether a process runs; a zombie does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return process.platform !== "linux";
  }
}

/** Resolves when none of the processes runs; fails after the bound. */
export async function allGone(pids: readonly number[], bound = 15_000): Promise<void> {
  const end = performance.now() + bound;
  while (pids.some((pid) => isRunning(pid))) {
    if (performance.now() > end) throw new Error(`still running: ${pids.filter((pid) => isRunning(pid)).join(", ")}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
}
