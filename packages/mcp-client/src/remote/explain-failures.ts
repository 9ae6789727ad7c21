import { createRedactor } from "@toolgate/contracts";

import { HttpStatusError } from "./http-errors.ts";

/** Characters kept of the body of an answer that is an error. */
const BODY_LIMIT = 4096;
/** Bytes read of such a body; it may have no end. */
const READ_LIMIT = 64 * BODY_LIMIT;

/** The last failure of a GET. Only an event stream is fetched that way, one at a time. */
export class GetFailure {
  last: unknown;
}

/**
 * A fetch whose POSTs reject with the status and the end of the body, where the SDK would give a text.
 *
 * @param redact - Hides what must not be seen in a body; what a request itself carries as credentials is hidden beside it.
 */
export function explainFailures(
  fetch: typeof globalThis.fetch,
  failures: GetFailure,
  redact: (text: string) => string,
): typeof globalThis.fetch {
  return async (input, init) => {
    const isGet = (init?.method ?? "GET") === "GET";
    let response: Response;
    try {
      response = await fetch(input, init);
    } catch (error) {
      if (isGet) failures.last = error;
      throw error;
    }
    if (response.status < 400 || init?.method === "DELETE") {
      if (isGet) failures.last = undefined;
      return response;
    }
    const challenge = response.headers.get("www-authenticate");
    const body = redact(createRedactor(sentCredentials(init))(await readEnd(response)));
    const error = new HttpStatusError(response.status, body, challenge);
    if (!isGet) throw error;
    failures.last = error;
    return new Response(null, { status: response.status, statusText: response.statusText, headers: response.headers });
  };
}

function sentCredentials(init: RequestInit | undefined): string[] {
  const headers = new Headers(init?.headers);
  const authorization = headers.get("authorization") ?? "";
  const session = headers.get("mcp-session-id") ?? "";
  return [authorization, authorization.replace(/^\w+\s+/, ""), session];
}

async function readEnd(response: Response): Promise<string> {
  let text = "";
  try {
    const decoder = new TextDecoder();
    // What is kept is the end, of what is read the beginning.
    let read = 0;
    for await (const chunk of response.body ?? []) {
      const bytes = chunk as Uint8Array;
      read += bytes.length;
      text = (text + decoder.decode(bytes, { stream: true })).slice(-BODY_LIMIT);
      if (read > READ_LIMIT) break;
    }
  } catch {
    // The status says enough.
  }
  return text.trim();
}
