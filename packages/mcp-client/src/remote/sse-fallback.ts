import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

import { type Clock, settlesWithin } from "../connection/clock.ts";
import type { CloseReason } from "../connection/connection.ts";
import { describeFailure, HttpStatusError } from "./http-errors.ts";

/** Milliseconds for a server that refused Streamable HTTP to name its endpoint. */
const ENDPOINT_LIMIT = 10_000;

/**
 * The refusal by which a server of revision 2024-11-05 shows itself when it gets `initialize` by POST: 404 or 405. Any
 * other failure is an answer to the request and stays the error.
 */
export function asksForSse(error: unknown): HttpStatusError | undefined {
  const status = HttpStatusError.from(error);
  return status?.status === 404 || status?.status === 405 ? status : undefined;
}

/**
 * Starts the older transport; unlike an entry that asks for it, one that may not speak it is not waited for long.
 *
 * @param closed - Ends the waiting: a transport that is closed while it starts never settles.
 */
export async function startSse(transport: Transport, clock: Clock, closed: Promise<CloseReason>): Promise<void> {
  const start = Promise.race([transport.start(), closed]);
  if (!(await settlesWithin(start.catch(ignore), ENDPOINT_LIMIT, clock))) {
    throw new Error(`no endpoint was named within ${ENDPOINT_LIMIT} ms`);
  }
  await start;
}

/** The first refusal with what came of the second attempt: neither hides the other. */
export function withSseFailure(refusal: HttpStatusError, error: unknown): HttpStatusError {
  return refusal.withNote(`The older SSE transport was tried too and failed: ${describeFailure(error)}.`);
}

function ignore(): void {}
