import { parseBearerChallenge } from "../remote/challenge.ts";
import type { AuthorizationContext } from "./authorization-context.ts";
import { AuthorizationSession, type Refusal } from "./authorization-session.ts";

/** Refusals that one request is tried again after: a token that ended, a sign-in, and scopes that were missing. */
const MOST_ATTEMPTS = 4;

/**
 * A fetch that sends the server's token along, and does what a 401 or a 403 `insufficient_scope` asks for before it tries
 * again. The token goes to the server's own origin and nowhere else.
 */
export function createAuthorizedFetch(
  fetch: typeof globalThis.fetch,
  context: AuthorizationContext,
): typeof globalThis.fetch {
  const session = new AuthorizationSession(context);
  const { origin } = new URL(context.config.url);
  return async (input, init) => {
    const address = input instanceof Request ? input.url : input;
    if (new URL(address).origin !== origin) return fetch(input, init);
    const { signal } = init ?? {};
    // A body that is a stream can be sent once.
    const canRepeat = !(input instanceof Request) && (init?.body == null || typeof init.body === "string");
    for (let attempt = 1; ; attempt += 1) {
      const token = await untilAborted(session.token(), signal);
      const response = await fetch(input, withToken(input, init, token));
      const refusal = readRefusal(response, token);
      if (refusal === undefined) {
        session.accept(token);
        return response;
      }
      if (!canRepeat || attempt === MOST_ATTEMPTS) return response;
      if (!(await untilAborted(session.answer(refusal), signal))) return response;
      await response.body?.cancel().catch(() => {});
    }
  };
}

/** What a 401, or a 403 that asks for more scopes, says. Any other answer is none. */
function readRefusal(response: Response, used: string | undefined): Refusal | undefined {
  const { headers, status } = response;
  if (status !== 401 && status !== 403) return undefined;
  const challenge = parseBearerChallenge(headers.get("www-authenticate"));
  if (status === 403 && challenge?.error !== "insufficient_scope") return undefined;
  return { status, challenge, used };
}

function withToken(
  input: Parameters<typeof globalThis.fetch>[0],
  init: RequestInit | undefined,
  token: string | undefined,
): RequestInit | undefined {
  if (token === undefined) return init;
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  headers.set("authorization", `Bearer ${token}`);
  return { ...init, headers };
}

/** Waits for something that others may wait for too, so that it goes on when this request is given up. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (signal == null) return promise;
  let abort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    // What fetch itself rejects with.
    abort = () => reject(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (abort !== undefined) signal.removeEventListener("abort", abort);
  }
}
