/** The longest that a timer can wait, in milliseconds: one that is longer fires at once. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * A signal that aborts after so many milliseconds. `AbortSignal.timeout` does not do: combined with another signal it is
 * collected as garbage on Node.js 20 before it aborts. This one does not keep the process alive either.
 */
export function timeLimit(milliseconds: number): AbortSignal {
  const controller = new AbortController();
  const reason = new DOMException(`It took longer than ${milliseconds} ms.`, "TimeoutError");
  setTimeout(() => controller.abort(reason), Math.min(milliseconds, LONGEST_TIMER_MS)).unref();
  return controller.signal;
}
