import { readdirSync, readFileSync } from "node:fs";

/** One process as /proc shows it. */
export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  state: string;
  /** Ticks after boot; tells a process from a later one with the same pid. */
  startTime: number;
  /** Ticks of processor time that it has used. */
  processorTime: number;
}

/** Whether processes can be looked at, which only Linux offers without another process. */
export const canReadProcesses: boolean = process.platform === "linux";

/** Reads one process; undefined when it is gone. */
export function readProcess(pid: number): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name stands in parentheses and may hold anything, so the fields are counted from its end.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const number = (index: number): number => Number(fields[index - 3]);
    return {
      pid,
      state: fields[0] ?? "?",
      parent: number(4),
      group: number(5),
      processorTime: number(14) + number(15),
      startTime: number(22),
    };
  } catch {
    return undefined;
  }
}

/** Reads all processes that are not zombies. */
export function readProcesses(): ProcessEntry[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? [])
    .filter((entry) => entry.state !== "Z" && entry.state !== "X");
}

/** The descendants of a process, itself included. */
export function descendantsOf(pid: number, processes: readonly ProcessEntry[]): ProcessEntry[] {
  const found = processes.filter((entry) => entry.pid === pid);
  const known = new Set([pid]);
  for (let grew = true; grew; ) {
    const more = processes.filter((entry) => known.has(entry.parent) && !known.has(entry.pid));
    for (const entry of more) known.add(entry.pid);
    found.push(...more);
    grew = more.length > 0;
  }
  return found;
}

/** Whether an entry still stands for a running process. */
export function isSameProcess(entry: ProcessEntry): boolean {
  const now = readProcess(entry.pid);
  return now !== undefined && now.startTime === entry.startTime && now.state !== "Z" && now.state !== "X";
}
