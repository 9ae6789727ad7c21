import type { TurnClock } from "../../src/chat/turn/turn-clock.ts";

/** A clock that goes on when it is told to. */
export interface ManualClock extends TurnClock {
  /** Lets time pass, tick by tick. */
  pass(milliseconds: number): void;
  /** How many want to be called back. */
  readonly waiting: number;
}

/** Makes a clock that stands still. */
export function createManualClock(): ManualClock {
  let now = 0;
  const timers = new Set<{ milliseconds: number; due: number; tick: () => void }>();
  return {
    now: () => now,
    every(milliseconds, tick) {
      const timer = { milliseconds, due: now + milliseconds, tick };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    pass(milliseconds) {
      const end = now + milliseconds;
      while (true) {
        const [next] = [...timers].filter(({ due }) => due <= end).toSorted((a, b) => a.due - b.due);
        if (next === undefined) break;
        now = next.due;
        next.due += next.milliseconds;
        next.tick();
      }
      now = end;
    },
    get waiting() {
      return timers.size;
    },
  };
}
