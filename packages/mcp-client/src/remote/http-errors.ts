import { isRecord } from "@toolgate/contracts";

import { type BearerChallenge, parseBearerChallenge } from "./challenge.ts";

/** An HTTP answer that is an error. */
export class HttpStatusError extends Error {
  override readonly name: string = "HttpStatusError";
  readonly status: number;
  /** The end of the body, of a bounded length. */
  readonly body: string;
  /** 401, or 403 with a `WWW-Authenticate` header. */
  readonly wantsSignIn: boolean;
  /** What its `WWW-Authenticate` header asks for. */
  readonly challenge: BearerChallenge | undefined;

  constructor(status: number, body: string, challenge: string | null) {
    super(`HTTP status ${status}`);
    this.status = status;
    this.body = body;
    this.wantsSignIn = status === 401 || (status === 403 && challenge !== null);
    this.challenge = parseBearerChallenge(challenge);
  }

  /** Finds one in an error's causes, or makes one from the SDK's error for a redirect that it did not follow. */
  static from(error: unknown): HttpStatusError | undefined {
    for (const link of causes(error)) if (link instanceof HttpStatusError) return link;
    if (!(error instanceof Error)) return undefined;
    // The line 2.x of the SDK has the status in `status`, 1.x in `code`.
    const { code, status = code } = error as { code?: unknown; status?: unknown };
    if (typeof status !== "number" || status < 300 || status > 599 || error.name === "McpError") return undefined;
    return new HttpStatusError(status, error.message, null);
  }
}

/** What a network error says: its code (ECONNREFUSED, ENOTFOUND, a TLS code …) and the address. */
export function describeNetworkError(error: unknown): { code: string; text: string } | undefined {
  for (const link of causes(error)) {
    const { code, address, hostname, port, message } = link as unknown as Record<string, unknown>;
    // The codes of the SDK's own errors are words as well.
    if (typeof code !== "string" || link.name === "SdkError" || link.name === "SdkHttpError") continue;
    const host = typeof address === "string" ? address : typeof hostname === "string" ? hostname : undefined;
    const where = host === undefined ? "" : ` ${host}${typeof port === "number" ? `:${port}` : ""}`;
    const said = typeof message === "string" && message !== "" && !message.includes(code) ? ` (${message})` : "";
    return { code, text: `${code}${where}${said}` };
  }
  if (error instanceof TypeError && error.message === "fetch failed") {
    const cause = error.cause instanceof Error ? error.cause.message : "no reason given";
    return { code: "FETCH_FAILED", text: cause };
  }
  return undefined;
}

function* causes(error: unknown): Generator<Error> {
  const seen = new Set<unknown>();
  const queue: unknown[] = [error];
  for (let link = queue.shift(); link !== undefined; link = queue.shift()) {
    if (!(link instanceof Error) || seen.has(link)) continue;
    seen.add(link);
    yield link;
    queue.push(link.cause);
    const { errors, event } = link as { errors?: unknown; event?: unknown };
    if (Array.isArray(errors)) queue.push(...(errors as unknown[]));
    if (isRecord(event)) queue.push(event["error"]);
  }
}
