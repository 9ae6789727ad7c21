import { type Clock, settlesWithin } from "../connection/clock.ts";
import { sendSignal } from "./child-registry.ts";
import { findDescendants, findMarked, type ProcessTable, readProcessTable } from "./process-table.ts";

/** Milliseconds that a server has after the end of its input. */
const END_OF_INPUT_GRACE = 1500;
/** Milliseconds that it has after SIGTERM. */
const TERMINATE_GRACE = 1000;
const KILL_GRACE = 1000;
const POLL = 25;
/** Children that end together are looked after by one look at the process table. */
const SHARED_LOOK_DELAY = 4;

/** A child process whose whole tree is to be ended. */
export interface EndableChild {
  pid: number;
  /** Value of the marker variable in its environment. */
  marker: string;
  /** Resolves when the child itself has ended. */
  exited: Promise<unknown>;
  hasExited(): boolean;
  /** Closes its input: the polite way to ask for its end. */
  endInput(): void;
  platform: NodeJS.Platform;
  clock: Clock;
}

/**
 * Ends a child and everything that it started: end of input, 1.5 s, SIGTERM to the group, 1 s, SIGKILL.
 *
 * The group misses a process that called setsid. On Linux such ones are found by the marker in their environment, and
 * those that cleared it by the tree as it was before the first signal.
 *
 * Contract: never rejects; resolves when the tree is gone, or when the bounds of all steps are over.
 */
export async function endProcessTree(child: EndableChild): Promise<void> {
  if (child.platform === "win32") return endOnWindows(child);
  const tree = child.platform === "linux" ? new LinuxTree(child) : new GroupOnly(child);
  child.endInput();
  if (await tree.endsWithin(END_OF_INPUT_GRACE)) return;
  tree.signal("SIGTERM");
  if (await tree.endsWithin(TERMINATE_GRACE)) return;
  tree.signal("SIGKILL");
  if (await tree.endsWithin(KILL_GRACE)) return;
  // A process that was being forked while its parent was killed.
  tree.signal("SIGKILL");
  await tree.endsWithin(KILL_GRACE);
}

interface Tree {
  endsWithin(milliseconds: number): Promise<boolean>;
  signal(signal: NodeJS.Signals): void;
}

abstract class PolledTree implements Tree {
  protected readonly child: EndableChild;

  constructor(child: EndableChild) {
    this.child = child;
  }

  abstract signal(signal: NodeJS.Signals): void;
  protected abstract isGone(): Promise<boolean> | boolean;

  async endsWithin(milliseconds: number): Promise<boolean> {
    const { clock } = this.child;
    const end = clock.now() + milliseconds;
    // While the child itself lives there is nothing to look for: its exit is an event.
    if (!this.child.hasExited() && !(await settlesWithin(this.child.exited, milliseconds, clock))) return false;
    for (;;) {
      if (await this.isGone()) return true;
      const left = end - clock.now();
      if (left <= 0) return false;
      await new Promise<void>((resolve) => {
        clock.setTimeout(resolve, Math.min(POLL, left));
      });
    }
  }
}

class GroupOnly extends PolledTree {
  signal(signal: NodeJS.Signals): void {
    sendSignal(-this.child.pid, signal);
  }

  protected isGone(): boolean {
    try {
      process.kill(-this.child.pid, 0);
      return false;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== "EPERM";
    }
  }
}

class LinuxTree extends PolledTree {
  /** Start times of what belonged to the tree when it was looked at last. */
  readonly #known = new Map<number, number>();
  readonly #since: number;

  constructor(child: EndableChild) {
    super(child);
    const table = readSharedTable();
    this.#since = table.get(child.pid)?.startTime ?? 0;
    this.#remember(table, findDescendants(table, [child.pid]));
  }

  signal(signal: NodeJS.Signals): void {
    const table = readProcessTable();
    const members = this.#members(table);
    sendSignal(-this.child.pid, signal);
    // Nobody gets it twice: many programs take a second SIGTERM for impatience.
    for (const pid of members) if (table.get(pid)?.group !== this.child.pid) sendSignal(pid, signal);
  }

  protected async isGone(): Promise<boolean> {
    return this.#members(await readTableSoon()).size === 0;
  }

  #members(table: ProcessTable): Set<number> {
    const roots = [...this.#known].filter(([pid, startTime]) => table.get(pid)?.startTime === startTime);
    const group = [...table.values()].filter((entry) => entry.group === this.child.pid);
    const members = findDescendants(table, [
      ...roots.map(([pid]) => pid),
      ...group.map((entry) => entry.pid),
      ...findMarked(table, this.child.marker, this.#since),
    ]);
    members.delete(process.pid);
    for (const pid of members) if (!table.has(pid)) members.delete(pid);
    this.#remember(table, members);
    return members;
  }

  #remember(table: ProcessTable, pids: Iterable<number>): void {
    for (const pid of pids) {
      const entry = table.get(pid);
      if (entry !== undefined) this.#known.set(pid, entry.startTime);
    }
  }
}

let shared: ProcessTable | undefined;
let soon: Promise<ProcessTable> | undefined;

/** The table as it is in this turn of the event loop: closing twenty servers at once reads it once. */
function readSharedTable(): ProcessTable {
  if (shared === undefined) {
    shared = readProcessTable();
    setImmediate(() => {
      shared = undefined;
    });
  }
  return shared;
}

function readTableSoon(): Promise<ProcessTable> {
  soon ??= new Promise((resolve) => {
    setTimeout(() => {
      soon = undefined;
      resolve(readProcessTable());
    }, SHARED_LOOK_DELAY);
  });
  return soon;
}

async function endOnWindows(child: EndableChild): Promise<void> {
  child.endInput();
  if (await settlesWithin(child.exited, END_OF_INPUT_GRACE, child.clock)) return;
  const { spawn } = process.getBuiltinModule("node:child_process");
  const killer = spawn("taskkill", ["/pid", String(child.pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
  killer.on("error", () => {});
  await settlesWithin(child.exited, TERMINATE_GRACE + KILL_GRACE, child.clock);
}
