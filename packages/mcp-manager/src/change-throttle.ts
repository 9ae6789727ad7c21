import { messageOf } from "@toolgate/contracts";
import type { Logger } from "@toolgate/contracts";

import type { Clock } from "./clock.ts";

/** Milliseconds between two reactions to a server that keeps reporting changes: the first pause, and the longest. */
const CHANGE_PAUSE_MS = 1000;
const LONGEST_CHANGE_PAUSE_MS = 30_000;

/** What a throttle works with. */
export interface ChangeThrottleOptions {
  clock: Clock;
  logger: Logger;
  /** Deals with all changes that were reported so far. A rejection is logged under `what`. */
  react: () => Promise<void> | void;
  /** What is done, for the log. */
  what: string;
}

/**
 * Turns reported changes into few reactions: the first is reacted to at once, those that come meanwhile are one more. A
 * source that goes on reporting, because of the reaction itself for example, is reacted to once per second, then once per
 * two seconds, and so on to once per 30 seconds; after a rest that is longer than its pause it is quick again.
 */
export class ChangeThrottle {
  readonly #options: ChangeThrottleOptions;
  #isBusy = false;
  #hasNews = false;
  #isClosed = false;
  #pause = CHANGE_PAUSE_MS;
  /** When the last reaction ended; one that takes long must not be followed by the next at once. */
  #reactedAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(options: ChangeThrottleOptions) {
    this.#options = options;
  }

  /** Notes a change. */
  report(): void {
    if (this.#isClosed) return;
    this.#hasNews = true;
    if (!this.#isBusy && this.#cancel === undefined) this.#plan();
  }

  /** Holds reactions back, since what they would do is being done; the returned function lets them go on. */
  hold(): () => void {
    this.#isBusy = true;
    return () => {
      this.#isBusy = false;
      if (this.#hasNews) this.#plan();
    };
  }

  /** Nothing is reacted to any more. */
  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #plan(): void {
    if (this.#isClosed) return;
    const rest = this.#options.clock.now() - this.#reactedAt;
    if (rest >= this.#pause) {
      this.#pause = CHANGE_PAUSE_MS;
      void this.#react();
      return;
    }
    this.#cancel = this.#options.clock.schedule(() => {
      this.#cancel = undefined;
      this.#pause = Math.min(this.#pause * 2, LONGEST_CHANGE_PAUSE_MS);
      void this.#react();
    }, this.#pause - rest);
  }

  async #react(): Promise<void> {
    const { clock, logger, react, what } = this.#options;
    this.#hasNews = false;
    this.#isBusy = true;
    try {
      await react();
    } catch (error) {
      if (!this.#isClosed) logger.warn(`${what} failed: ${messageOf(error)}`);
    }
    this.#reactedAt = clock.now();
    this.#isBusy = false;
    if (this.#hasNews) this.#plan();
  }
}
