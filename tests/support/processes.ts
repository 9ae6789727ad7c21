import { readdirSync, readFileSync } from "node:fs";

/** The command lines of processes that run with the given variables in their environment; empty without `/proc`. */
export function processesWith(...variables: string[]): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").flatMap((pid) => {
    try {
      if (!/^\d+$/.test(pid)) return [];
      const environment = `\0${readFileSync(`/proc/${pid}/environ`, "utf8")}`;
      if (!variables.every((variable) => environment.includes(`\0${variable}`))) return [];
      if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))) return [];
      return [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim()];
    } catch {
      // It ended while we looked, or it belongs to someone else.
      return [];
    }
  });
}

/** The servers that run for a host with this home: they carry the marker of whoever started them. */
export function serversOf(home: string): string[] {
  return processesWith("TOOLGATE_PROCESS_MARKER=", `HOME=${home}\0`);
}
