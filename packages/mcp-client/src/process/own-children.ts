import { spawnSync } from "node:child_process";

import { findMarked, hostMarker } from "./process-marker.ts";
import { canReadProcesses } from "./process-table.ts";

type GroupListener = (change: "added" | "removed", pid: number) => void;

// The one piece of state at module scope: which process groups are ours, for the moment when the process exits.
const groups = new Set<number>();
const listeners = new Set<GroupListener>();

/** Notes that a process group is ours until {@link forgetGroup}. */
export function rememberGroup(pid: number): void {
  if (groups.size === 0) process.on("exit", killAllChildren);
  groups.add(pid);
  for (const listener of listeners) listener("added", pid);
}

/** Notes that a process group has ended. */
export function forgetGroup(pid: number): void {
  if (!groups.delete(pid)) return;
  if (groups.size === 0) process.off("exit", killAllChildren);
  for (const listener of listeners) listener("removed", pid);
}

/** The process groups that are ours now; the listener hears of every change. */
export function watchGroups(listener: GroupListener): readonly number[] {
  listeners.add(listener);
  return [...groups];
}

/** Ends every process that this library started, at once and synchronously. For exit hooks and signal handlers. */
export function killAllChildren(): void {
  for (const pid of groups) killGroupNow(pid);
  if (canReadProcesses && groups.size > 0) {
    // Those that left their group.
    for (const pid of findMarked([hostMarker()])) killNow(pid);
  }
}

/** Sends a signal to a process group; false when it is gone. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Ends one process; it may be gone already. */
export function killNow(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}

/** Ends a group, or on Windows the tree, without waiting for anything but the request. */
export function killGroupNow(pid: number): void {
  if (process.platform === "win32") spawnSync("taskkill", taskkillArguments(pid), { stdio: "ignore", windowsHide: true });
  else signalGroup(pid, "SIGKILL");
}

/** Arguments that make `taskkill` end a process and all below it. */
export function taskkillArguments(pid: number): string[] {
  return ["/pid", String(pid), "/T", "/F"];
}
