/** Carries events from many producers to one consumer, in the order in which they were pushed. */
export class EventQueue<T> implements AsyncIterable<T> {
  readonly #events: T[] = [];
  #wake: (() => void) | undefined;
  #ended = false;

  push(event: T): void {
    this.#events.push(event);
    this.#wake?.();
  }

  /** No more events: the consumer gets what is left and ends. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (;;) {
      for (let event = this.#events.shift(); event !== undefined; event = this.#events.shift()) yield event;
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
