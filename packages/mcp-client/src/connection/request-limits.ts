import type { RequestOptions } from "./connection.ts";

/** Milliseconds without answer or progress where the entry says nothing. */
const DEFAULT_IDLE_TIMEOUT = 60_000;
/** Milliseconds for one request in all. */
const DEFAULT_TOTAL_TIMEOUT = 600_000;
/** Milliseconds for connecting where the entry says nothing. */
export const DEFAULT_CONNECT_TIMEOUT = 30_000;
/** The longest time that Node.js's timers know, about 25 days: no limit. */
const NO_LIMIT = 2_147_483_647;

/** The limits of one request, in milliseconds. */
export interface RequestLimits {
  idle: number;
  total: number;
}

/** Works out a request's limits from what the call says, else what the entry says. */
export function requestLimits(configured: number | undefined, options: RequestOptions): RequestLimits {
  const idle = options.timeout ?? configured ?? DEFAULT_IDLE_TIMEOUT;
  // Progress may go on for ever, so that a limit in all stays wherever there is any limit.
  const total = options.maxTotalTimeout ?? (idle === 0 ? 0 : Math.max(DEFAULT_TOTAL_TIMEOUT, idle));
  return { idle: toTimer(idle), total: toTimer(total) };
}

function toTimer(milliseconds: number): number {
  return milliseconds === 0 ? NO_LIMIT : Math.min(milliseconds, NO_LIMIT);
}
