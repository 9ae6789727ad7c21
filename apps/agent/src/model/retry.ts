import { setTimeout } from "node:timers/promises";

import { APICallError } from "@ai-sdk/provider";

import type { ModelEvent } from "../session/agent-model.ts";

/** How requests are tried again. */
export interface RetryOptions {
  signal: AbortSignal;
  /** What is told of a failure before the wait. */
  describe: (error: APICallError, delayMs: number) => string;
  /** Waits so many milliseconds, or until the signal. @default a timer */
  delay?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds since 1970, for a `Retry-After` that is a date. @default Date.now */
  now?: () => number;
}

/** Tries of one request, the first included. */
const MAX_TRIES = 4;
/** Nobody is kept waiting longer by a `Retry-After`: the failure is told instead. */
const MAX_RETRY_AFTER_MS = 60_000;

const FIRST_DELAY_MS = 1000;

/**
 * Sends a request, and again after a status that says that it may go better later (408, 409, 429, 5xx) or when nothing
 * answered: after what `Retry-After` says, else after 1 s, 2 s and 4 s. Only for what fails before its first event: a
 * stream that has begun is not repeated.
 */
export async function* withRetries<T>(
  send: () => PromiseLike<T>,
  options: RetryOptions,
): AsyncGenerator<ModelEvent, T, undefined> {
  const { signal, delay = wait, now = Date.now } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      signal.throwIfAborted();
      if (!APICallError.isInstance(error) || !error.isRetryable || attempt >= MAX_TRIES) throw error;
      const delayMs = retryAfterOf(error, now) ?? FIRST_DELAY_MS * 2 ** (attempt - 1);
      if (delayMs > MAX_RETRY_AFTER_MS) throw error;
      yield { type: "warning", message: options.describe(error, delayMs) };
      await delay(delayMs, signal);
    }
  }
}

/** What the server asks for, in milliseconds; undefined when it asks for nothing that can be understood. */
function retryAfterOf({ responseHeaders = {} }: APICallError, now: () => number): number | undefined {
  const exact = Number(responseHeaders["retry-after-ms"] ?? Number.NaN);
  if (exact >= 0) return exact;
  const { "retry-after": header } = responseHeaders;
  if (header === undefined) return undefined;
  const seconds = Number(header);
  if (seconds >= 0) return seconds * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now());
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal });
}
