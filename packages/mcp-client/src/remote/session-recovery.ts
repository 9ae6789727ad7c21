import { isRecord } from "@toolgate/contracts";

import type { Clock } from "../connection/clock.ts";
import { drain } from "./body-stream.ts";
import { readEventBlocks } from "./event-blocks.ts";
import { HttpStatusError } from "./http-errors.ts";
import { mediaTypeOf, type PostedMessage, readPosted } from "./posted-message.ts";

const SESSION = "mcp-session-id";
const VERSION = "mcp-protocol-version";
/** Milliseconds for making a new session. */
const RENEWAL_LIMIT = 30_000;
/** Characters of an error's text that are searched: what it is about stands at its beginning. */
const SEARCHED = 400;
const INVALID_PARAMS = -32_602;
/** How servers say in lower case that they do not know a session. */
const EXPIRY = [
  /\b(?:no|no valid|no such|no active|not a valid|invalid|unknown|unrecogni[sz]ed|expired|missing|bad) (?:mcp[- ]?)?session(?:[- _]?id)?\b/,
  /\bno transport(?: found)? for session(?:[- _]?id)?\b/,
  /\bsession(?:[- _]?id)?\b(?: header)?[^.]{0,80}?\b(?:not found|not exist|not valid|not recogni[sz]ed|no longer)\b/,
  /\bsession(?:[- _]?id)?\b(?: header)?[^.]{0,80}?\b(?:invalid|unknown|expired|missing|required|terminated|ended|closed)\b/,
  /\b(?:server|session|transport) (?:is )?not (?:yet )?initiali[sz]ed\b/,
];
/** What concerns a request of the session that is over makes no sense in the next one. */
const NOT_REPEATED = new Set(["notifications/cancelled", "notifications/progress"]);

/** What a recovery is made from. */
export interface SessionRecoveryInput {
  fetch: typeof globalThis.fetch;
  /** Bytes of one message. */
  limit: number;
  clock: Clock;
  /** Aborts when the link is closed. */
  signal: AbortSignal;
  /** There is a new session. */
  onRenewed: () => void;
}

interface Sent {
  url: string | URL;
  init: RequestInit;
}

/**
 * Makes a new session when a server has forgotten the old one, and repeats the request that it refused for that: refused
 * requests were not carried out. Requests that meet the expiry at once share one new session, and each is repeated once.
 */
export class SessionRecovery {
  readonly #input: SessionRecoveryInput;
  #initialize: Sent | undefined;
  #lastPost: Sent | undefined;
  /** What replaces the session and the revision that the SDK knows of. */
  #renewed: { session: string | undefined; version: string } | undefined;
  #renewal: Promise<void> | undefined;

  constructor(input: SessionRecoveryInput) {
    this.#input = input;
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : input;
    const message = readPosted(init);
    if (message?.method === "initialize") this.#initialize = { url, init: { ...init } };
    const first = this.#withSession(init);
    if (message !== undefined) this.#lastPost = { url, init: first };
    const session = new Headers(first.headers).get(SESSION);
    try {
      return await this.#input.fetch(url, first);
    } catch (error) {
      if (session === null || !isRepeatable(message) || !isSessionExpiry(error)) throw error;
      await this.#renew(session);
    }
    return this.#repeat(url, this.#withSession(init));
  };

  /** Sends a message of its own by the way that the last one took. */
  post(message: object, signal: AbortSignal): Promise<Response> | undefined {
    if (this.#lastPost === undefined) return undefined;
    const { url, init } = this.#lastPost;
    return this.#input.fetch(url, { ...this.#withSession(init), body: JSON.stringify(message), signal });
  }

  async #repeat(url: string | URL, init: RequestInit): Promise<Response> {
    try {
      return await this.#input.fetch(url, init);
    } catch (error) {
      const status = HttpStatusError.from(error);
      if (status === undefined || !isSessionExpiry(error)) throw error;
      throw status.withNote("Its session was refused again right after a new one had been made.");
    }
  }

  #withSession(init: RequestInit | undefined): RequestInit {
    const headers = new Headers(init?.headers);
    if (this.#renewed !== undefined && headers.has(VERSION)) {
      const { session, version } = this.#renewed;
      headers.set(VERSION, version);
      if (session === undefined) headers.delete(SESSION);
      else headers.set(SESSION, session);
    }
    return { ...init, headers };
  }

  #renew(expired: string): Promise<void> {
    // Another request has met the same expiry before.
    if (this.#renewed !== undefined && this.#renewed.session !== expired) return Promise.resolve();
    this.#renewal ??= this.#initializeAgain().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #initializeAgain(): Promise<void> {
    const { clock, signal, onRenewed } = this.#input;
    const controller = new AbortController();
    const abort = () => controller.abort();
    const timer = clock.setTimeout(abort, RENEWAL_LIMIT);
    signal.addEventListener("abort", abort, { once: true });
    try {
      await this.#shakeHands(controller.signal);
    } catch (error) {
      if (controller.signal.aborted) {
        throw new Error(`its session had ended, and no new one was made within ${RENEWAL_LIMIT} ms`, { cause: error });
      }
      throw HttpStatusError.from(error)?.withNote("Its session had ended, and no new one could be made.") ?? error;
    } finally {
      clock.clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    }
    onRenewed();
  }

  async #shakeHands(signal: AbortSignal): Promise<void> {
    if (this.#initialize === undefined) throw new Error("the server was never asked to initialize");
    const { url, init } = this.#initialize;
    const response = await this.#input.fetch(url, { ...init, signal });
    const session = response.headers.get(SESSION) ?? undefined;
    const version = await readVersion(response, this.#input.limit);
    const headers = new Headers(init.headers);
    headers.set(VERSION, version);
    if (session !== undefined) headers.set(SESSION, session);
    const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
    await drain(await this.#input.fetch(url, { ...init, headers, body, signal }));
    this.#renewed = { session, version };
  }
}

function isRepeatable(message: PostedMessage | undefined): boolean {
  return message?.method !== undefined && message.method !== "initialize" && !NOT_REPEATED.has(message.method);
}

/**
 * Whether a refusal is about the session that the request carried: 404 is, by the protocol. Servers also answer with 400
 * and say so in the text; a text about a tool's parameters or about something else is not taken for that.
 */
function isSessionExpiry(error: unknown): boolean {
  const failure = HttpStatusError.from(error);
  if (failure?.status === 404) return true;
  if (failure?.status !== 400) return false;
  const { code, message } = readProblem(failure.body);
  const text = message.slice(0, SEARCHED).toLowerCase();
  if (code === INVALID_PARAMS) return false;
  return EXPIRY.some((pattern) => pattern.test(text));
}

/** The code and the text of an error body: of its JSON-RPC error where it is one, else all of it. */
function readProblem(body: string): { code?: unknown; message: string } {
  try {
    const value: unknown = JSON.parse(body);
    const error = isRecord(value) ? (value["error"] ?? value) : undefined;
    if (typeof error === "string") return { message: error };
    if (isRecord(error)) {
      const { code, message, detail } = error;
      const text = message ?? detail;
      return { code, message: typeof text === "string" ? text : "" };
    }
  } catch {
    // Plain text.
  }
  return { message: body };
}

/** The revision in the answer to `initialize`, which may come as JSON or as an event. */
async function readVersion(response: Response, limit: number): Promise<string> {
  const answer =
    mediaTypeOf(response) === "text/event-stream" ? await readEvent(response, limit) : await response.json();
  const result: unknown = isRecord(answer) ? answer["result"] : undefined;
  const version = isRecord(result) ? result["protocolVersion"] : undefined;
  if (typeof version === "string") return version;
  const error: unknown = isRecord(answer) ? answer["error"] : undefined;
  throw new Error(`initialize was answered with ${JSON.stringify(error ?? answer ?? null).slice(0, SEARCHED)}`);
}

async function readEvent(response: Response, limit: number): Promise<unknown> {
  for await (const { bytes, answers } of readEventBlocks(response.body ?? emptyBody(), limit)) {
    if (bytes === undefined || answers.length === 0) continue;
    const lines = Buffer.from(bytes)
      .toString("utf8")
      .split(/\r\n|\r|\n/);
    const data = lines.flatMap((line) => (line.startsWith("data:") ? [line.slice("data:".length)] : []));
    return JSON.parse(data.join("\n")) as unknown;
  }
  return undefined;
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}
