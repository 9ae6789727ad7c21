/** What time is for a turn. */
export interface TurnClock {
  /** Milliseconds since some moment. */
  now(): number;
  /** Calls back again and again until the returned function is called. Keeps no process alive. */
  every(milliseconds: number, tick: () => void): () => void;
}

/** The clock of the machine. */
export const systemClock: TurnClock = {
  now: () => performance.now(),
  every(milliseconds, tick) {
    const timer = setInterval(tick, milliseconds);
    timer.unref();
    return () => clearInterval(timer);
  },
};
