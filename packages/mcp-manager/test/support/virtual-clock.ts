import type { Clock } from "../../src/clock.ts";

interface Timer {
  at: number;
  callback: () => void;
}

/** A clock for runs that nobody steers by hand: later turns come by themselves, time comes by {@link advance}. */
export interface VirtualClock extends Clock {
  /** Moves the time forward and calls what falls due, in order, with everything that follows from each call. */
  advance(milliseconds: number): Promise<void>;
  /** Lets everything run that needs no time. */
  settle(): Promise<void>;
  /** How many callbacks wait for their time. */
  readonly timers: number;
}

export function createVirtualClock(): VirtualClock {
  let time = 0;
  const timers = new Set<Timer>();
  const turns = new Set<() => void>();
  const settle = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    for (let [turn] = turns; turn !== undefined; [turn] = turns) {
      turns.delete(turn);
      turn();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return {
    now: () => time,
    wallTime: () => 1_800_000_000_000 + time,
    schedule(callback, milliseconds) {
      const timer = { at: time + milliseconds, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    nextTurn(callback) {
      const turn = (): void => callback();
      turns.add(turn);
      return () => turns.delete(turn);
    },
    async advance(milliseconds) {
      const end = time + milliseconds;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers.delete(next);
        time = Math.max(time, next.at);
        next.callback();
        await settle();
      }
      time = end;
      await settle();
    },
    settle,
    get timers() {
      return timers.size;
    },
  };
}
