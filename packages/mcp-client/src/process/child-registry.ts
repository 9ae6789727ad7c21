import { createChildMarker, hostMarker } from "./process-marker.ts";
import { findDescendants, findMarked, readProcessTable } from "./process-table.ts";

/** Hears of the children that must not outlive the host. */
export interface ChildObserver {
  added(pid: number): void;
  removed(pid: number): void;
  /** All children have been killed because the host ends now. Must be synchronous. */
  hostEnds(): void;
}

/** A child that is known to the exit hook and to the supervisor. */
export interface RegisteredChild {
  pid: number;
  marker: string;
  /** Takes the child off the list once its tree is gone. */
  release(): void;
}

const children = new Map<number, RegisteredChild>();
let observer: ChildObserver | undefined;
let hookInstalled = false;

/** Puts a child on the list that the exit hook ends; the first one installs the hook. */
export function registerChild(pid: number, marker: string = createChildMarker()): RegisteredChild {
  const child: RegisteredChild = {
    pid,
    marker,
    release() {
      if (children.get(pid) !== child) return;
      children.delete(pid);
      observer?.removed(pid);
    },
  };
  children.set(pid, child);
  if (!hookInstalled) {
    hookInstalled = true;
    process.on("exit", killAllChildren);
  }
  observer?.added(pid);
  return child;
}

/** The process ids on the list. */
export function listChildren(): number[] {
  return [...children.keys()];
}

/** Sets the one who hears of children from now on. */
export function observeChildren(next: ChildObserver): void {
  observer = next;
}

/**
 * Ends every child of the library and its tree at once, synchronously and without grace.
 *
 * The library calls it when the process exits. An app calls it from its signal handlers, where nothing can be awaited.
 */
export function killAllChildren(): void {
  if (children.size > 0) {
    if (process.platform === "win32") killTreesOnWindows([...children.keys()]);
    else killTrees([...children.keys()]);
    children.clear();
  }
  observer?.hostEnds();
}

function killTrees(pids: readonly number[]): void {
  const table = readProcessTable();
  const doomed = findDescendants(table, pids);
  for (const pid of findMarked(table, hostMarker())) doomed.add(pid);
  doomed.delete(process.pid);
  for (const pid of pids) sendSignal(-pid, "SIGKILL");
  for (const pid of doomed) sendSignal(pid, "SIGKILL");
}

function killTreesOnWindows(pids: readonly number[]): void {
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  for (const pid of pids) {
    spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true, timeout: 2000 });
  }
}

/** Sends a signal; what has ended already is no error. A negative id means the group. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended, or has become someone else's.
  }
}
