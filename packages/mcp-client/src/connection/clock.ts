/** Time, as the client uses it. Contract: `now` never goes back; a cleared timer never fires. */
export interface Clock {
  /** Milliseconds since some fixed moment. */
  now(): number;
  setTimeout(callback: () => void, milliseconds: number): unknown;
  clearTimeout(handle: unknown): void;
}

/** The process's own time. */
export const systemClock: Clock = {
  now: () => performance.now(),
  setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
};

/**
 * Waits for a promise that never rejects, but no longer than the given time.
 *
 * @returns whether the promise came first
 */
export async function settlesWithin(promise: Promise<unknown>, milliseconds: number, clock: Clock): Promise<boolean> {
  let handle: unknown;
  const limit = new Promise<boolean>((resolve) => {
    handle = clock.setTimeout(() => resolve(false), milliseconds);
  });
  try {
    return await Promise.race([promise.then(() => true), limit]);
  } finally {
    clock.clearTimeout(handle);
  }
}
