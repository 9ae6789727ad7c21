import type { ToolgateError } from "@toolgate/contracts";

/**
 * What happens after a server has dropped. `manual`: nothing, until somebody asks for it. `on-call`: the next call of one
 * of its tools starts it again. `background`: it is started again by itself, and a call waits for that.
 */
export type ReconnectPolicy = "manual" | "on-call" | "background";

/**
 * `idle`: nothing is planned. `waiting`: the back-off. `connecting`: an automatic start is under way. `open-circuit`: too
 * many starts in a short time; the next one is made when the breaker is half open.
 */
export type ReconnectState = "idle" | "waiting" | "connecting" | "open-circuit";

/** How the automatic reconnecting of one server stands. */
export interface ReconnectDescription {
  state: ReconnectState;
  /** Automatic starts since the last success. */
  attempts: number;
  /** When the next one may be made, in milliseconds since 1970; absent when none is planned or held back. */
  nextAttemptAt?: number;
  /** Why it dropped or could not be started, last; absent after a success. */
  lastError?: ToolgateError;
}

/** A server that has stayed connected for so long works, also when nobody has called it. */
export const STABLE_AFTER_MS = 10_000;

const BACK_OFF_MS = [500, 1000, 2000, 4000] as const;

/**
 * Milliseconds between a drop or failure and the next attempt. Somebody waits for a call, so that its first attempt is
 * made at once.
 *
 * @param attempts - Those since the last success.
 */
export function backOffBefore(attempts: number, policy: ReconnectPolicy): number {
  const step = policy === "background" ? attempts : attempts - 1;
  return step < 0 ? 0 : (BACK_OFF_MS[Math.min(step, BACK_OFF_MS.length - 1)] ?? 0);
}
