/**
 * Time as the manager sees it. Tests drive it by hand; everything that waits in this package waits on it.
 */
export interface Clock {
  /** Milliseconds that only go forward; differences are what counts. */
  now(): number;
  /** Milliseconds since 1970. */
  wallTime(): number;
  /** Calls back once after `milliseconds`; the returned function takes it back and may be called at any time. */
  schedule(callback: () => void, milliseconds: number): () => void;
  /** Calls back in a later turn of the event loop, after what is ready now. */
  nextTurn(callback: () => void): () => void;
}

/** The process's own clock. */
export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  schedule(callback, milliseconds) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
  nextTurn(callback) {
    const immediate = setImmediate(callback);
    return () => clearImmediate(immediate);
  },
};
