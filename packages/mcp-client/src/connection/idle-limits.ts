import type { SdkRequestOptions } from "./protocol-session.ts";

/**
 * The idle limits of a session's requests. They stand still while the host owes its server an answer: a server that waits
 * for a person's form is not silent.
 */
export class IdleLimits {
  readonly #open = new Set<IdleLimit>();
  #owed = 0;

  /** Begins the limit of one request, in milliseconds; {@link IdleLimit.end} ends it. */
  begin(milliseconds: number): IdleLimit {
    const limit = new IdleLimit(milliseconds, () => this.#open.delete(limit));
    this.#open.add(limit);
    if (this.#owed === 0) limit.restart();
    return limit;
  }

  /** Answers a request of the server. */
  async whileAnswering<T>(answer: () => Promise<T>): Promise<T> {
    this.#owed += 1;
    for (const limit of this.#open) limit.pause();
    try {
      return await answer();
    } finally {
      this.#owed -= 1;
      if (this.#owed === 0) for (const limit of this.#open) limit.restart();
    }
  }
}

/** The idle limit of one request. */
export class IdleLimit {
  readonly #milliseconds: number;
  readonly #onEnd: () => void;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #isPaused = true;
  #isExceeded = false;

  constructor(milliseconds: number, onEnd: () => void) {
    this.#milliseconds = milliseconds;
    this.#onEnd = onEnd;
  }

  /** Whether the request was given up for it. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  /** The same options with this limit in place of the SDK's, which keeps the one in all. */
  applyTo(options: SdkRequestOptions): SdkRequestOptions {
    const { signal, onprogress, maxTotalTimeout } = options;
    const giveUp = (): void => this.#controller.abort(signal?.reason);
    if (signal?.aborted === true) giveUp();
    else signal?.addEventListener("abort", giveUp, { once: true });
    return {
      ...options,
      timeout: maxTotalTimeout,
      signal: this.#controller.signal,
      ...(onprogress === undefined
        ? {}
        : {
            onprogress: (progress) => {
              if (!this.#isPaused) this.restart();
              onprogress(progress);
            },
          }),
    };
  }

  restart(): void {
    this.pause();
    this.#isPaused = false;
    this.#timer = setTimeout(() => {
      this.#isExceeded = true;
      this.#controller.abort("Request timed out");
    }, this.#milliseconds);
  }

  pause(): void {
    this.#isPaused = true;
    clearTimeout(this.#timer);
  }

  /** The request has its answer, or will get none. */
  end(): void {
    this.pause();
    this.#onEnd();
  }
}
