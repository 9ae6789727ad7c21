import type { Clock } from "./clock.ts";

/** Attempts within {@link BREAKER_WINDOW_MS} after which a breaker opens. */
export const BREAKER_ATTEMPTS = 5;

/** The time that attempts are counted in, and for which an open breaker lets nothing through. */
export const BREAKER_WINDOW_MS = 30_000;

/**
 * Bounds how often something is attempted: five attempts within 30 s that nobody has called a success open it. After
 * another 30 s it is half open and lets a single attempt through; it closes when that one is a success, and opens again
 * otherwise. Attempts are counted when they are made, since one that seems to go well may fail right afterwards.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  #attempts: number[] = [];
  #opensUntil: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds until an attempt may be made; 0: now. */
  get blockedFor(): number {
    return this.#opensUntil === undefined ? 0 : Math.max(0, this.#opensUntil - this.#clock.now());
  }

  /** Counts an attempt that is about to be made. */
  attempt(): void {
    const now = this.#clock.now();
    this.#attempts = [...this.#attempts.filter((time) => now - time < BREAKER_WINDOW_MS), now];
    const isProbe = this.#opensUntil !== undefined;
    if (isProbe || this.#attempts.length >= BREAKER_ATTEMPTS) this.#opensUntil = now + BREAKER_WINDOW_MS;
  }

  /** Closes the breaker: what was attempted works. */
  succeed(): void {
    this.#attempts = [];
    this.#opensUntil = undefined;
  }
}
