import { type Clock, settlesWithin } from "../connection/clock.ts";
import { describeNetworkError, HttpStatusError, isRefused } from "./http-errors.ts";

/** Milliseconds that a request which failed waits to learn whether the server is gone. */
const PROBE_LIMIT = 1000;

/** What the watch over a server needs. */
export interface LivenessInput {
  /** Asks the server for a sign of life; any answer is one, an error status too. */
  ask(signal: AbortSignal): Promise<Response> | undefined;
  clock: Clock;
  /** Milliseconds between two questions to a server that keeps no stream open; `undefined` asks none. */
  interval: number | undefined;
  /** Whether there is nothing to ask for: a stream stands open, or the server is working for us. */
  isKnownToLive(): boolean;
  /** The server is gone. */
  onGone(error: unknown): void;
}

/** Finds out whether a server is still there. Silence alone proves nothing while a call is under way. */
export class Liveness {
  readonly #input: LivenessInput;
  #probe: Promise<void> | undefined;
  #timer: unknown;
  #controller = new AbortController();

  constructor(input: LivenessInput) {
    this.#input = input;
  }

  /** Begins to ask at intervals, where that is wanted. */
  start(): void {
    const { interval, clock } = this.#input;
    if (interval === undefined || interval <= 0 || this.#controller.signal.aborted) return;
    this.#timer = clock.setTimeout(() => {
      const asked = this.#input.isKnownToLive() ? Promise.resolve() : this.#askWithin(interval, true);
      void asked.then(() => this.start());
    }, interval);
  }

  stop(): void {
    this.#input.clock.clearTimeout(this.#timer);
    this.#controller.abort();
  }

  /** After a failure of the network: resolves when it is known, or cannot be known soon, whether the server is gone. */
  check(failure: unknown): Promise<void> {
    if (isRefused(failure)) {
      this.#input.onGone(failure);
      return Promise.resolve();
    }
    this.#probe ??= this.#askWithin(PROBE_LIMIT, false).finally(() => {
      this.#probe = undefined;
    });
    return this.#probe;
  }

  async #askWithin(limit: number, silenceCounts: boolean): Promise<void> {
    const controller = new AbortController();
    const abort = () => controller.abort();
    this.#controller.signal.addEventListener("abort", abort, { once: true });
    let failure: unknown;
    const asked = Promise.resolve(this.#input.ask(controller.signal)).then(
      (response) => response?.body?.cancel().catch(() => {}),
      (error: unknown) => {
        failure = error;
      },
    );
    const answered = await settlesWithin(asked, limit, this.#input.clock);
    this.#controller.signal.removeEventListener("abort", abort);
    controller.abort();
    if (this.#controller.signal.aborted) return;
    if (!answered) {
      const silence = Object.assign(new Error(`no answer to a ping within ${limit} ms`), { code: "ETIMEDOUT" });
      if (silenceCounts && !this.#input.isKnownToLive()) this.#input.onGone(silence);
    } else if (isRefused(failure) || (silenceCounts && isNetwork(failure))) {
      this.#input.onGone(failure);
    }
  }
}

function isNetwork(failure: unknown): boolean {
  return HttpStatusError.from(failure) === undefined && describeNetworkError(failure) !== undefined;
}
