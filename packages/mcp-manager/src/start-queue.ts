import { availableParallelism } from "node:os";

import { loadClient } from "@toolgate/mcp-client";

import type { Clock } from "./clock.ts";
import type { MCPManagerOptions } from "./manager-options.ts";

/** A place among the servers that boot at the same time. */
export interface StartSlot {
  /** Gives the place to the next one; may be called more than once. */
  release(): void;
}

/** Whose turn it is. Asked when a place is given, since the cache may answer while a server waits for its turn. */
export interface StartPriority {
  /** Goes before those that nobody waits for, such as servers whose tools are cached. */
  urgent: boolean;
  /** Milliseconds that the start took last time; the quickest goes first, and those that nobody knows go last. */
  expectedMs?: number | undefined;
}

interface Waiting {
  grant(slot: StartSlot): void;
  priority(): StartPriority;
}

/** How places are given. */
export interface StartQueueOptions {
  /**
   * Whether the last one that waits need not wait for a place once others have had theirs: after them it would boot alone,
   * and leave all processors but one idle.
   *
   * @default false
   */
  lastJoins?: boolean;
  /**
   * Work of the host that comes with the first start, called once. Until it is done nobody else is let in: it would take
   * the processors away from that start, and timers would fire late. Whether it succeeds is a matter of that start.
   *
   * @default nothing
   */
  prepare?: () => Promise<unknown>;
}

/** Milliseconds after which a place is given to the next one, whatever its holder does. */
export const MAX_BOOT_MS = 5000;

/**
 * Paces process starts: at most as many servers boot at once as fit the machine, and one spawn per turn of the event
 * loop, since a spawn blocks it for up to 120 ms while many children boot and timers would fire late.
 */
export class StartQueue {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #lastJoins: boolean;
  #prepare: StartQueueOptions["prepare"];
  readonly #waiting: Waiting[] = [];
  #booting = 0;
  /** Whether a place was given back since there was nobody in them all. */
  #isDraining = false;
  #holds = 0;
  #turnIsScheduled = false;

  constructor(clock: Clock, limit: number, { lastJoins = false, prepare }: StartQueueOptions = {}) {
    this.#clock = clock;
    this.#limit = Math.max(1, limit);
    this.#lastJoins = lastJoins;
    this.#prepare = prepare;
  }

  /**
   * Waits for a place. An abort gives up the waiting. A place that is not released is taken back after 5 s: a server that
   * keeps its processor busy for ever must not keep the others out.
   */
  enter(priority: () => StartPriority, signal: AbortSignal): Promise<StartSlot> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const waiting: Waiting = {
        priority,
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
      this.#waiting.push(waiting);
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

  #takeNext(): Waiting | undefined {
    const ranked = this.#waiting.map((waiting) => ({ waiting, rank: rankOf(waiting.priority()) }));
    const first = ranked.reduce<(typeof ranked)[number] | undefined>(
      (best, other) => (best === undefined || isBefore(other.rank, best.rank) ? other : best),
      undefined,
    );
    if (first !== undefined) this.#waiting.splice(this.#waiting.indexOf(first.waiting), 1);
    return first?.waiting;
  }

  get #isFull(): boolean {
    if (this.#holds > 0) return true;
    const mayJoin = this.#lastJoins && this.#isDraining && this.#waiting.length === 1;
    return this.#booting >= this.#limit + (mayJoin ? 1 : 0);
  }

  #scheduleTurn(): void {
    if (this.#turnIsScheduled || this.#waiting.length === 0 || this.#isFull) return;
    this.#turnIsScheduled = true;
    this.#clock.nextTurn(() => {
      this.#turnIsScheduled = false;
      this.#grantNext();
      this.#scheduleTurn();
    });
  }

  #grantNext(): void {
    if (this.#isFull) return;
    const next = this.#takeNext();
    if (next === undefined) return;
    this.#booting += 1;
    let released = false;
    const release = (): void => {
      if (released) return;
      released = true;
      cancelLimit();
      this.#booting -= 1;
      this.#isDraining = this.#booting > 0;
      this.#scheduleTurn();
    };
    const cancelLimit = this.#clock.schedule(release, MAX_BOOT_MS);
    next.grant({ release });
    this.#prepareOnce();
  }

  #prepareOnce(): void {
    const prepare = this.#prepare;
    if (prepare === undefined) return;
    this.#prepare = undefined;
    const letGo = this.hold();
    // In a later turn: the process comes first.
    this.#clock.nextTurn(() => void prepare().then(letGo, letGo));
  }
}

type Rank = readonly [urgency: number, expectedMs: number];

function rankOf({ urgent, expectedMs = Number.POSITIVE_INFINITY }: StartPriority): Rank {
  return [urgent ? 0 : 1, expectedMs];
}

// Of equal ones the one that came first stays first.
function isBefore([urgency, expectedMs]: Rank, [otherUrgency, otherExpectedMs]: Rank): boolean {
  return urgency === otherUrgency ? expectedMs < otherExpectedMs : urgency < otherUrgency;
}

/**
 * A queue for the processes of servers: as many places as somebody has asked for, or as there are processors. With two
 * processors or fewer, loading the client is kept apart from the boot of all servers but the first.
 */
export function createStartQueue(
  clock: Clock,
  { maxConcurrentStarts, connect }: Pick<MCPManagerOptions, "connect" | "maxConcurrentStarts">,
): StartQueue {
  const processors = availableParallelism();
  return new StartQueue(clock, maxConcurrentStarts ?? processors, {
    // Who sets a limit means it.
    lastJoins: maxConcurrentStarts === undefined,
    ...(connect === undefined && processors <= 2 ? { prepare: loadClient } : {}),
  });
}
