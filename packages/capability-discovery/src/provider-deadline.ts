import type { MaybePromise } from "@toolgate/contracts";

/** Timers as a port, so that tests decide when time is over. */
export interface DiscoveryClock {
  /**
   * Calls back once after so many milliseconds.
   *
   * @returns cancels the call
   */
  schedule(callback: () => void, milliseconds: number): () => void;
}

/** The default clock: timers of Node. */
const systemClock: DiscoveryClock = {
  schedule(callback, milliseconds) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** How long some work may take, and who may end it earlier. */
export interface DeadlineOptions {
  milliseconds: number;
  /** Beginning of the error's message. */
  description: string;
  clock: DiscoveryClock | undefined;
  signal: AbortSignal | undefined;
}

/**
 * Runs work with a deadline. The work's signal is aborted when time is over or the outer signal is; the result does not
 * wait for work that ignores its signal.
 */
export async function withDeadline<R>(
  work: (signal: AbortSignal) => MaybePromise<R>,
  options: DeadlineOptions,
): Promise<R> {
  const controller = new AbortController();
  const ended = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener("abort", () => reject(controller.signal.reason as Error), { once: true });
  });
  const onAbort = (): void => controller.abort(options.signal?.reason);
  options.signal?.addEventListener("abort", onAbort, { once: true });
  const cancel = (options.clock ?? systemClock).schedule(
    () => controller.abort(new Error(`${options.description} took longer than ${options.milliseconds} ms`)),
    options.milliseconds,
  );
  try {
    return await Promise.race([ended, Promise.resolve().then(() => work(controller.signal))]);
  } finally {
    cancel();
    options.signal?.removeEventListener("abort", onAbort);
  }
}
