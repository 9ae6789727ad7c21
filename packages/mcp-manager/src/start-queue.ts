import type { Clock } from "./clock.ts";

/** A place among the servers that boot at the same time. */
export interface StartSlot {
  /** Gives the place to the next one; may be called more than once. */
  release(): void;
}

interface Waiting {
  grant(slot: StartSlot): void;
  urgent: boolean;
}

/**
 * Paces process starts: at most as many servers boot at once as fit the machine, and one spawn per turn of the event
 * loop, since a spawn blocks it for up to 120 ms while many children boot and timers would fire late.
 */
export class StartQueue {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #waiting: Waiting[] = [];
  #booting = 0;
  #holds = 0;
  #turnIsScheduled = false;

  constructor(clock: Clock, limit: number) {
    this.#clock = clock;
    this.#limit = Math.max(1, limit);
  }

  /**
   * Waits for a place. An abort gives up the waiting.
   *
   * @param urgent - Goes before those that nobody waits for, such as servers whose tools are cached.
   */
  enter(urgent: boolean, signal: AbortSignal): Promise<StartSlot> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const waiting: Waiting = {
        urgent,
        grant: (slot) => {
          signal.removeEventListener("abort", giveUp);
          resolve(slot);
        },
      };
      const giveUp = (): void => {
        const index = this.#waiting.indexOf(waiting);
        if (index >= 0) this.#waiting.splice(index, 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", giveUp, { once: true });
      this.#insert(waiting);
      this.#scheduleTurn();
    });
  }

  /** Lets nobody in until the returned function is called: before a timer that must be on time. */
  hold(): () => void {
    this.#holds += 1;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#holds -= 1;
      this.#scheduleTurn();
    };
  }

  #insert(waiting: Waiting): void {
    const firstIdle = waiting.urgent ? this.#waiting.findIndex((other) => !other.urgent) : -1;
    if (firstIdle < 0) this.#waiting.push(waiting);
    else this.#waiting.splice(firstIdle, 0, waiting);
  }

  #scheduleTurn(): void {
    const isFull = this.#holds > 0 || this.#booting >= this.#limit;
    if (this.#turnIsScheduled || this.#waiting.length === 0 || isFull) return;
    this.#turnIsScheduled = true;
    this.#clock.nextTurn(() => {
      this.#turnIsScheduled = false;
      this.#grantNext();
      this.#scheduleTurn();
    });
  }

  #grantNext(): void {
    if (this.#holds > 0 || this.#booting >= this.#limit) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#booting += 1;
    let released = false;
    next.grant({
      release: () => {
        if (released) return;
        released = true;
        this.#booting -= 1;
        this.#scheduleTurn();
      },
    });
  }
}
