import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

/**
 * Name of the variable that every child of this library gets. A grandchild that left its process group is found by it
 * even when everything between has ended.
 */
export const MARKER_VARIABLE = "TOOLGATE_PROCESS_MARKER";

let host: string | undefined;
let count = 0;

/** The part of the marker that all children of this process share. */
export function hostMarker(): string {
  host ??= `${process.pid}-${randomBytes(6).toString("hex")}`;
  return host;
}

/** A marker for one more child. */
export function nextMarker(): string {
  count += 1;
  return `${hostMarker()}:${count};`;
}

/** Finds the processes that carry one of the markers in their environment. Linux only. */
export function findMarked(markers: readonly string[]): number[] {
  const needles = markers.map((marker) => `${MARKER_VARIABLE}=${marker}`);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const environment = readFileSync(`/proc/${name}/environ`, "latin1");
        return needles.some((needle) => environment.includes(needle)) ? [Number(name)] : [];
      } catch {
        // Ended while we looked, or somebody else's.
        return [];
      }
    });
}
