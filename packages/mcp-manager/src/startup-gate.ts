import type { Clock } from "./clock.ts";

// A spawn blocks the event loop for up to this long while other servers boot, and the gate with it.
const QUIET_BEFORE_GATE_MS = 40;

/** What the gate works with. */
export interface GateContext {
  clock: Clock;
  /** Keeps process starts back until the returned function is called. */
  holdStarts: () => () => void;
}

/**
 * Waits until all work has settled or the time is up, whichever is first. Never rejects. No process is started just
 * before the time is up, so that the gate falls on time.
 *
 * @param work - Promises whose outcome does not matter here, only that they have one.
 * @param milliseconds - `0` does not wait at all, `Infinity` waits for all.
 * @returns Whether the time was up first.
 */
export async function waitAtGate(
  work: readonly Promise<unknown>[],
  milliseconds: number,
  { clock, holdStarts }: GateContext,
): Promise<boolean> {
  if (milliseconds <= 0) return true;
  const allSettled = Promise.allSettled(work).then(() => false);
  if (milliseconds === Number.POSITIVE_INFINITY) return allSettled;
  const undo: (() => void)[] = [];
  const timeIsUp = new Promise<boolean>((resolve) => {
    undo.push(
      clock.schedule(() => undo.push(holdStarts()), Math.max(0, milliseconds - QUIET_BEFORE_GATE_MS)),
      clock.schedule(() => resolve(true), milliseconds),
    );
  });
  try {
    return await Promise.race([allSettled, timeIsUp]);
  } finally {
    for (const step of undo) step();
  }
}
