/** The environment variable by which a child of the library is found again after everything else is lost. */
export const MARKER_VARIABLE = "TOOLGATE_PROCESS_MARKER";

let host: string | undefined;
let children = 0;

/** What all markers of this host start with. */
export function hostMarker(): string {
  host ??= `${process.pid}-${crypto.randomUUID()}:`;
  return host;
}

/** A marker for one child; unique among all hosts. */
export function createChildMarker(): string {
  children += 1;
  // The closing bracket keeps 1 from being found in 10.
  return `${hostMarker()}${children};`;
}
