import type { Clock } from "@toolgate/mcp-manager";

/** A clock that goes on when it is told to. */
export interface ManualClock extends Pick<Clock, "now" | "schedule"> {
  /** Lets time pass, timer by timer. */
  pass(milliseconds: number): void;
  /** How many want to be called back. */
  readonly waiting: number;
}

/** Makes a clock that stands still. */
export function createManualClock(): ManualClock {
  let now = 0;
  const timers = new Set<{ due: number; callback: () => void }>();
  return {
    now: () => now,
    schedule(callback, milliseconds) {
      const timer = { due: now + milliseconds, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    pass(milliseconds) {
      const end = now + milliseconds;
      while (true) {
        const [next] = [...timers].filter(({ due }) => due <= end).toSorted((a, b) => a.due - b.due);
        if (next === undefined) break;
        timers.delete(next);
        now = next.due;
        next.callback();
      }
      now = end;
    },
    get waiting() {
      return timers.size;
    },
  };
}
