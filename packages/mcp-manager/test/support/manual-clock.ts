import type { Clock } from "../../src/clock.ts";

interface Timer {
  at: number;
  callback: () => void;
}

/** A clock that moves only when it is told to. */
export interface ManualClock extends Clock {
  /** Moves the time forward and calls what falls due, in order. */
  advance(milliseconds: number): Promise<void>;
  /** Runs one callback that asked for a later turn. */
  runTurn(): Promise<void>;
}

export function createManualClock(): ManualClock {
  let time = 0;
  const timers = new Set<Timer>();
  const turns: (() => void)[] = [];
  return {
    now: () => time,
    wallTime: () => 1_800_000_000_000 + time,
    schedule(callback, milliseconds) {
      const timer = { at: time + milliseconds, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    nextTurn(callback) {
      turns.push(callback);
      return () => {
        const index = turns.indexOf(callback);
        if (index >= 0) turns.splice(index, 1);
      };
    },
    async advance(milliseconds) {
      time += milliseconds;
      for (const timer of [...timers].toSorted((a, b) => a.at - b.at)) {
        if (timer.at > time || !timers.delete(timer)) continue;
        timer.callback();
        await settle();
      }
      await settle();
    },
    async runTurn() {
      turns.shift()?.();
      await settle();
    },
  };
}

/** Lets everything run that only waits for promises. */
async function settle(): Promise<void> {
  for (let round = 0; round < 20; round += 1) await Promise.resolve();
}
