interface SharedTask {
  promise: Promise<void>;
  /** How many wait for it. */
  waiting: number;
  controller: AbortController;
}

/** Tasks that several wait for at once; one that nobody waits for any more is aborted. */
export class SharedTasks {
  readonly #running = new Map<string, SharedTask>();

  /**
   * Waits for the task of that name, which is started unless it is under way.
   *
   * @throws what the task rejects with; the reason of `signal` when that aborts
   */
  async run(
    name: string,
    signal: AbortSignal | null | undefined,
    start: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    let task = this.#running.get(name);
    if (task === undefined) {
      const controller = new AbortController();
      const promise = start(controller.signal).finally(() => this.#running.delete(name));
      // Whoever waits hears of it; when nobody does any more, nobody has to.
      promise.catch(() => {});
      task = { promise, waiting: 0, controller };
      this.#running.set(name, task);
    }
    task.waiting += 1;
    try {
      await untilAborted(task.promise, signal);
    } finally {
      task.waiting -= 1;
      if (task.waiting === 0) task.controller.abort();
    }
  }
}

/** Waits for something that goes on when this wait is given up. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (signal == null) return promise;
  let abort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    // What fetch itself rejects with.
    abort = () => reject(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (abort !== undefined) signal.removeEventListener("abort", abort);
  }
}
