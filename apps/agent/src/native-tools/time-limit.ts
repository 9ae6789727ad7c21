/**
 * A signal that aborts after so many milliseconds. `AbortSignal.timeout` does not do: combined with another signal it is
 * collected as garbage on Node.js 20 before it aborts. This one does not keep the process alive either.
 */
export function timeLimit(milliseconds: number): AbortSignal {
  const controller = new AbortController();
  const reason = new DOMException(`It took longer than ${milliseconds} ms.`, "TimeoutError");
  setTimeout(() => controller.abort(reason), milliseconds).unref();
  return controller.signal;
}
