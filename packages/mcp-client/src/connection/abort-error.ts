/** What an aborted wait rejects with, whatever the reason of the abort was; the reason is its `cause`. */
export class AbortError extends Error {
  override readonly name: string = "AbortError";
  readonly code: string = "ABORT_ERR";

  constructor(message: string, signal: AbortSignal) {
    super(message, { cause: signal.reason });
  }
}

/** Whether a signal is aborted by now; a plain comparison would be narrowed to an earlier answer. */
export function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted ?? false;
}
