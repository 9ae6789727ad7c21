import type { Clock } from "../connection/clock.ts";
import { readEventBlocks } from "./event-blocks.ts";
import { describeNetworkError, HttpStatusError, isRefused, StreamEndedError } from "./http-errors.ts";
import { mediaTypeOf } from "./posted-message.ts";

/** Milliseconds before a broken stream is asked for again where the server does not say; doubled with each failure. */
const FIRST_DELAY = 250;
const LONGEST_DELAY = 30_000;
/** The longest time that Node.js's timers know. */
const LONGEST_TIMER = 2_147_483_647;
const MOST_ATTEMPTS = 5;

/** What an event stream needs, and what becomes of it. */
export interface EventStreamInput {
  /** Asks for the rest of the stream by GET. */
  fetch: typeof globalThis.fetch;
  url: string | URL;
  /** Headers of the request that the stream was opened by. */
  headers: Headers;
  signal: AbortSignal;
  /** The request that the stream is to answer; `undefined` for a stream that stands open. */
  requestId: string | number | undefined;
  /** Bytes of one event. */
  limit: number;
  clock: Clock;
  /** An event was longer than the limit. */
  onOversized: (answers: readonly (string | number)[]) => void;
  /** The stream is over, its request is not answered, and the rest cannot be had. */
  onLost: (error: unknown) => void;
}

/**
 * One event stream that outlives its connections: when one breaks, the rest is asked for with `Last-Event-ID`, after the
 * time that the server's `retry:` says. A stream that is the answer to a request is resumed only while that answer is
 * missing, and only when the server has numbered an event of it.
 */
export class EventStream {
  readonly #input: EventStreamInput;
  #lastEventId: string | undefined;
  #retry: number | undefined;
  #answered = false;
  /** Connections in succession that brought nothing. */
  #barren = 0;

  constructor(input: EventStreamInput) {
    this.#input = input;
  }

  /** The events as bytes, one whole event at a time. Never throws: losses are reported. */
  async *read(first: Response): AsyncGenerator<Uint8Array> {
    const { signal, requestId, onLost } = this.#input;
    let response: Response | undefined = first;
    while (response !== undefined) {
      let failure: unknown = new StreamEndedError("the event stream ended");
      try {
        yield* this.#readEvents(response);
      } catch (error) {
        failure = error;
      }
      if (signal.aborted || this.#answered) return;
      if (requestId !== undefined && (this.#lastEventId ?? "") === "") {
        onLost(failure);
        return;
      }
      response = await this.#reopen();
    }
  }

  async *#readEvents(response: Response): AsyncGenerator<Uint8Array> {
    const { limit, requestId, onOversized } = this.#input;
    this.#barren += 1;
    for await (const { bytes, id, retry, answers } of readEventBlocks(response.body ?? noBytes(), limit)) {
      this.#barren = 0;
      if (id !== undefined) this.#lastEventId = id;
      if (retry !== undefined) this.#retry = retry;
      if (requestId !== undefined && answers.includes(requestId)) this.#answered = true;
      if (bytes === undefined) onOversized(answers);
      else yield bytes;
    }
  }

  async #reopen(): Promise<Response | undefined> {
    const { url, signal, onLost } = this.#input;
    const headers = new Headers(this.#input.headers);
    headers.delete("content-type");
    headers.set("accept", "text/event-stream");
    if (this.#lastEventId !== undefined && this.#lastEventId !== "") headers.set("last-event-id", this.#lastEventId);
    for (let attempt = 1; ; attempt += 1) {
      await this.#pause(attempt);
      if (signal.aborted) return undefined;
      let failure: unknown;
      try {
        const response = await this.#input.fetch(url, { method: "GET", headers, signal });
        if (response.ok && mediaTypeOf(response) === "text/event-stream") return response;
        await response.body?.cancel().catch(() => {});
        failure = new HttpStatusError(response.status, "", null, "The event stream could not be resumed.");
      } catch (error) {
        failure = error;
      }
      if (signal.aborted) return undefined;
      if (attempt < MOST_ATTEMPTS && mayPass(failure)) continue;
      onLost(failure);
      return undefined;
    }
  }

  #pause(attempt: number): Promise<void> {
    const { signal, clock } = this.#input;
    const doublings = Math.max(attempt - 1, this.#barren - 1);
    const delay = this.#retry ?? Math.min(FIRST_DELAY * 2 ** Math.min(doublings, 20), LONGEST_DELAY);
    return new Promise((resolve) => {
      const finish = () => {
        clock.clearTimeout(timer);
        signal.removeEventListener("abort", finish);
        resolve();
      };
      const timer = clock.setTimeout(finish, Math.min(delay, LONGEST_TIMER));
      signal.addEventListener("abort", finish, { once: true });
      if (signal.aborted) finish();
    });
  }
}

/** Whether a later attempt may succeed: a gateway or the network can recover, a refusal stands. */
function mayPass(failure: unknown): boolean {
  const status = HttpStatusError.from(failure)?.status;
  if (status !== undefined) return status >= 500 || status === 408 || status === 429;
  return describeNetworkError(failure) !== undefined && !isRefused(failure);
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}
