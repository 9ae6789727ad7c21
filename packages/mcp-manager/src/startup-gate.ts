import type { Clock } from "./clock.ts";

/**
 * Waits until all work has settled or the time is up, whichever is first. Never rejects.
 *
 * @param work - Promises whose outcome does not matter here, only that they have one.
 * @param milliseconds - `0` does not wait at all, `Infinity` waits for all.
 * @returns Whether the time was up first.
 */
export async function waitAtGate(
  work: readonly Promise<unknown>[],
  milliseconds: number,
  clock: Clock,
): Promise<boolean> {
  if (milliseconds <= 0) return true;
  const allSettled = Promise.allSettled(work).then(() => false);
  if (milliseconds === Number.POSITIVE_INFINITY) return allSettled;
  let cancel = (): void => {};
  const timeIsUp = new Promise<boolean>((resolve) => {
    cancel = clock.schedule(() => resolve(true), milliseconds);
  });
  try {
    return await Promise.race([allSettled, timeIsUp]);
  } finally {
    cancel();
  }
}
