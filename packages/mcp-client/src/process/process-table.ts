import { readdirSync, readFileSync } from "node:fs";

import { MARKER_VARIABLE } from "./process-marker.ts";

/** One running process, as Linux's /proc tells it. */
interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  /** Clock ticks since boot; tells a process from a later one with the same id. */
  startTime: number;
}

/** All running processes by id; zombies are left out. */
export type ProcessTable = Map<number, ProcessEntry>;

/** Reads the processes that run now. Linux only: elsewhere the table is empty. */
export function readProcessTable(): ProcessTable {
  const table: ProcessTable = new Map();
  for (const name of listProc()) {
    const fields = readStat(name);
    // 0 state, 1 parent, 2 group, 19 start time.
    if (fields === undefined || fields[0] === "Z" || fields[0] === "X") continue;
    const pid = Number(name);
    table.set(pid, { pid, parent: Number(fields[1]), group: Number(fields[2]), startTime: Number(fields[19]) });
  }
  return table;
}

/** The fields of /proc/<pid>/stat after the command's name, which may itself hold spaces and brackets. */
export function readStat(pid: number | string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    // The process has ended.
    return undefined;
  }
}

/** The process and everything below it. */
export function findDescendants(table: ProcessTable, roots: Iterable<number>): Set<number> {
  const children = new Map<number, number[]>();
  for (const entry of table.values()) {
    const siblings = children.get(entry.parent);
    if (siblings === undefined) children.set(entry.parent, [entry.pid]);
    else siblings.push(entry.pid);
  }
  const found = new Set<number>();
  const queue = [...roots];
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    if (found.has(pid)) continue;
    found.add(pid);
    queue.push(...(children.get(pid) ?? []));
  }
  return found;
}

/** Processes whose environment holds a marker that starts with the given one. */
export function findMarked(table: ProcessTable, marker: string, since = 0): Set<number> {
  const needle = `${MARKER_VARIABLE}=${marker}`;
  const found = new Set<number>();
  for (const { pid, startTime } of table.values()) {
    // What is older than the server cannot be its child; that saves most of the reading.
    if (startTime < since) continue;
    try {
      if (`\0${readFileSync(`/proc/${pid}/environ`, "latin1")}`.includes(`\0${needle}`)) found.add(pid);
    } catch {
      // It has ended, or it is someone else's.
    }
  }
  return found;
}

function listProc(): string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
