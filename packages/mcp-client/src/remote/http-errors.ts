import { isRecord, messageOf } from "@toolgate/contracts";

import { type BearerChallenge, parseBearerChallenge } from "./challenge.ts";

/** The SDK's own errors, whose codes are words as well. */
const SDK_ERRORS: ReadonlySet<string> = new Set(["SdkError", "SdkHttpError"]);

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
  /** What else people should know, as whole sentences. */
  readonly note: string;
  readonly #header: string | null;

  // oxlint-disable-next-line max-params -- as an answer is read: status, body, challenge, and what we say to it
  constructor(status: number, body: string, challenge: string | null, note = "") {
    super(`HTTP status ${status}`);
    this.status = status;
    this.body = body;
    this.wantsSignIn = status === 401 || (status === 403 && challenge !== null);
    this.challenge = parseBearerChallenge(challenge);
    this.note = note;
    this.#header = challenge;
  }

  /** The same error with one more sentence. */
  withNote(note: string): HttpStatusError {
    return new HttpStatusError(this.status, this.body, this.#header, this.note === "" ? note : `${this.note} ${note}`);
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

/** A request that a proxy did not carry; it names the proxy, without credentials, and its variable, and its cause says why. */
export class ProxyError extends Error {
  override readonly name: string = "ProxyError";

  /** @param proxy - The proxy as it may be shown, and the variable that names it. */
  constructor(proxy: string, cause: unknown) {
    super(`the proxy ${proxy}`, { cause });
  }
}

/** An event stream ended before the answer that it was opened for. */
export class StreamEndedError extends Error {
  override readonly name: string = "StreamEndedError";
  readonly code: string = "STREAM_ENDED";
}

/** An answer that is longer than what is read of one. */
export class OversizedAnswerError extends Error {
  override readonly name: string = "OversizedAnswerError";
  readonly limit: number;

  constructor(limit: number) {
    super(`an answer of more than ${limit} bytes`);
    this.limit = limit;
  }

  static from(error: unknown): OversizedAnswerError | undefined {
    for (const link of causes(error)) if (link instanceof OversizedAnswerError) return link;
    return undefined;
  }
}

/** What is known of a network error. */
export interface NetworkFailure {
  /** The system's code (ECONNREFUSED, ENOTFOUND, a TLS code …), or one of fetch's own. */
  code: string;
  /** Host and port, where the error names them. */
  address?: string;
  /** Both as text for people, without secrets. */
  text: string;
}

/** What a network error says: its code and the address; `undefined` for errors of another kind. */
export function describeNetworkError(error: unknown): NetworkFailure | undefined {
  const links = [...causes(error)];
  const proxy = links.find((link) => link instanceof ProxyError);
  const coded = links.filter(
    (link) => typeof (link as { code?: unknown }).code === "string" && !SDK_ERRORS.has(link.name),
  );
  const link = coded.find((candidate) => addressOf(candidate) !== undefined) ?? coded[0];
  if (link === undefined) {
    if (proxy !== undefined) return named(proxy, { code: "PROXY_FAILED", text: messageOf(links.at(-1)) });
    if (!(error instanceof TypeError && error.message === "fetch failed")) return undefined;
    return { code: "FETCH_FAILED", text: error.cause instanceof Error ? error.cause.message : "no reason given" };
  }
  const { code, message } = link as unknown as { code: string; message: string };
  const address = addressOf(link);
  const said = message !== "" && !message.includes(code) ? ` (${message})` : "";
  const text = `${code}${address === undefined ? "" : ` ${address}`}${said}`;
  return named(proxy, { code, text, ...(address === undefined ? {} : { address }) });
}

/** Whether nobody listens at the address; a proxy that is down says nothing of the server. */
export function isRefused(error: unknown): boolean {
  return !isProxyError(error) && describeNetworkError(error)?.code === "ECONNREFUSED";
}

/** What an error of a remote server says, in a few words. */
export function describeFailure(error: unknown): string {
  const status = HttpStatusError.from(error);
  if (status === undefined) return describeNetworkError(error)?.text ?? messageOf(error);
  const body = status.body === "" ? "" : `, body: ${status.body}`;
  return `HTTP status ${status.status}${body}${status.note === "" ? "" : `. ${status.note}`}`;
}

function isProxyError(error: unknown): boolean {
  for (const link of causes(error)) if (link instanceof ProxyError) return true;
  return false;
}

function named(proxy: Error | undefined, failure: NetworkFailure): NetworkFailure {
  return proxy === undefined ? failure : { ...failure, text: `${proxy.message}: ${failure.text}` };
}

function addressOf(error: Error): string | undefined {
  const { address, hostname, port, socket } = error as unknown as Record<string, unknown>;
  const host = typeof address === "string" ? address : hostname;
  if (typeof host === "string") return `${host}${typeof port === "number" ? `:${port}` : ""}`;
  if (!isRecord(socket) || typeof socket["remoteAddress"] !== "string") return undefined;
  return `${socket["remoteAddress"]}:${String(socket["remotePort"])}`;
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
