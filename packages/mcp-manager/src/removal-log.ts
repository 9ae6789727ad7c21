/** A point in the order of a manager's removals, see {@link RemovalLog}. */
export type RemovalMoment = number;

/**
 * Remembers in which order servers were removed, so that work that began before a removal and comes to its end after it,
 * a slow discovery for example, can see that it must not bring the server back. A server that has a start is recognised
 * by the identity of that start; this is for work that has none yet.
 */
export class RemovalLog {
  #now: RemovalMoment = 0;
  #allRemoved: RemovalMoment = 0;
  readonly #removed = new Map<string, RemovalMoment>();

  /** The moment of the last removal; only ever grows. */
  get now(): RemovalMoment {
    return this.#now;
  }

  remove(name: string): void {
    this.#now += 1;
    this.#removed.set(name, this.#now);
  }

  removeAll(): void {
    this.#now += 1;
    this.#allRemoved = this.#now;
    this.#removed.clear();
  }

  /** Whether a server was removed after a moment, alone or with all others. */
  isRemovedSince(name: string, moment: RemovalMoment): boolean {
    return Math.max(this.#allRemoved, this.#removed.get(name) ?? 0) > moment;
  }
}
