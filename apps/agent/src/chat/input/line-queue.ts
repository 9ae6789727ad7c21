/** Lines in the order in which they were entered, for one reader that may come later than they do. */
export class LineQueue {
  readonly #lines: string[] = [];
  #deliver: ((line: string | undefined) => void) | undefined;
  #hasEnded = false;

  /** Adds a line. */
  push(line: string): void {
    const deliver = this.#deliver;
    this.#deliver = undefined;
    if (deliver === undefined) this.#lines.push(line);
    else deliver(line);
  }

  /** No line comes any more; those that are there can still be taken. */
  end(): void {
    this.#hasEnded = true;
    this.#deliver?.(undefined);
    this.#deliver = undefined;
  }

  /** A line that is there already. */
  take(): string | undefined {
    return this.#lines.shift();
  }

  /**
   * The next line; undefined when there is none any more, or once the signal aborts. Who waits anew takes the place of who
   * waited before.
   */
  next(signal?: AbortSignal): Promise<string | undefined> {
    const line = this.take();
    if (line !== undefined || this.#hasEnded || signal?.aborted === true) return Promise.resolve(line);
    return new Promise((resolve) => {
      const deliver = (delivered: string | undefined): void => {
        signal?.removeEventListener("abort", onAbort);
        resolve(delivered);
      };
      const onAbort = (): void => {
        if (this.#deliver === deliver) this.#deliver = undefined;
        resolve(undefined);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#deliver = deliver;
    });
  }
}
