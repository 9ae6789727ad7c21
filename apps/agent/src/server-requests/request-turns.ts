import { abortable } from "../cancellation/abortable.ts";
import { RequestRefusal } from "./request-refusal.ts";

/** Requests of all servers that wait at once; a server that floods the person gets errors. */
const MAX_WAITING = 16;

/** What a person did with Ctrl-C; the request is answered, and whatever the server was asked for goes on. */
export class RequestCancelled extends Error {
  override readonly name: string = "AbortError";
}

/** Lets one request of a server after the other have the person, and the person cancel the one that is there. */
export class RequestTurns {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #current: AbortController | undefined;

  /**
   * Does the work when its turn has come. Its signal aborts with the given one, and with a {@link RequestCancelled} at
   * {@link cancelCurrent}.
   *
   * @throws RequestRefusal when too many wait; the signal's reason when it aborts before the turn; else as the work
   */
  async take<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#waiting >= MAX_WAITING) throw new RequestRefusal("failed", "Too many requests wait for the person.");
    this.#waiting += 1;
    const turn = this.#last.then(() => this.#begin(signal, work));
    this.#last = turn.catch(() => {});
    try {
      // What was taken back makes room for others, and its turn will be over at once.
      return await abortable(turn, signal);
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Cancels the request that has the person; false when there is none. */
  cancelCurrent(): boolean {
    if (this.#current === undefined || this.#current.signal.aborted) return false;
    this.#current.abort(new RequestCancelled("The person cancelled the request."));
    return true;
  }

  async #begin<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const current = new AbortController();
    this.#current = current;
    try {
      return await work(AbortSignal.any([signal, current.signal]));
    } finally {
      this.#current = undefined;
    }
  }
}
