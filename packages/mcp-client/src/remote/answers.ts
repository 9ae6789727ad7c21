import type { Clock } from "../connection/clock.ts";
import { drain, withBody } from "./body-stream.ts";
import { EventStream } from "./event-stream.ts";
import { describeNetworkError, OversizedAnswerError } from "./http-errors.ts";
import { withKnownFields } from "./known-fields.ts";
import { mediaTypeOf, readPosted } from "./posted-message.ts";

/** Statuses by which servers say that they have no stream of their own; 405 is the one that the protocol names. */
const NO_STREAM = new Set([400, 404, 405, 406]);

/** What is done about answers that do not come. */
export interface AnswersInput {
  fetch: typeof globalThis.fetch;
  /** Bytes of one message. */
  limit: number;
  clock: Clock;
  /** The answer to a request is longer than the limit. */
  onOversized(requestId: string | number): void;
  /** The answer to a request will not come. */
  onLost(requestId: string | number, error: unknown): void;
  /** The stream that stands open is gone for good. */
  onStandingLost(error: unknown): void;
  /** The network failed: find out about the server, then let the request fail. Never rejects. */
  onTrouble: (error: unknown) => Promise<void>;
}

/**
 * The answers of a server that speaks Streamable HTTP: event streams are resumed, sizes are limited, and each request
 * whose answer cannot come any more is reported. Its `fetch` is what the SDK's transport is given.
 */
export class Answers {
  readonly #input: AnswersInput;
  readonly #open = new Map<AbortController, string | number | undefined>();
  #standing: AbortController | undefined;
  #closed = false;

  constructor(input: AnswersInput) {
    this.#input = input;
  }

  /** Whether the server keeps a stream open beside the requests. */
  get hasStandingStream(): boolean {
    return this.#standing !== undefined;
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : input;
    if (init?.method === "DELETE") return this.#input.fetch(url, init);
    const requestId = idOf(init);
    const controller = new AbortController();
    if (this.#closed) controller.abort();
    this.#open.set(controller, requestId);
    const request = { ...init, signal: controller.signal };
    let response: Response;
    try {
      response = await this.#input.fetch(url, request);
    } catch (error) {
      this.#open.delete(controller);
      if (!controller.signal.aborted && describeNetworkError(error) !== undefined) await this.#input.onTrouble(error);
      throw error;
    }
    return init?.method === "POST"
      ? this.#readAnswer(response, { url, init: request, requestId, controller })
      : this.#readStanding(response, { url, init: request, requestId: undefined, controller });
  };

  /** Lets go of the answer to a request that nobody waits for any more. */
  drop(requestId: string | number): void {
    for (const [controller, id] of this.#open) if (id === requestId) this.#end(controller);
  }

  /** Ends everything that is under way; what comes later fails. */
  close(): void {
    this.#closed = true;
    for (const controller of this.#open.keys()) this.#end(controller);
  }

  #readAnswer(response: Response, request: OpenRequest): Response {
    const { controller, requestId } = request;
    if (response.body === null || requestId === undefined || response.status === 202) {
      void drain(response).then(() => this.#forget(controller));
      const { status, headers } = response;
      return new Response(null, { status, headers });
    }
    if (mediaTypeOf(response) === "text/event-stream") {
      return this.#stream(response, request, (error) => this.#reportLost(requestId, error));
    }
    const body = withKnownFields(this.#readBody(response.body, controller.signal));
    return withBody(response, this.#untilDone(body, controller), () => this.#end(controller));
  }

  #readStanding(response: Response, request: OpenRequest): Response {
    const { controller } = request;
    if (!response.ok || mediaTypeOf(response) !== "text/event-stream") {
      void drain(response).then(() => this.#forget(controller));
      // The SDK takes 405 alone for a server without a stream, and reports the others.
      const status = NO_STREAM.has(response.status) || response.ok ? 405 : response.status;
      return new Response(null, { status, headers: response.headers });
    }
    if (this.#standing !== undefined) this.#end(this.#standing);
    this.#standing = controller;
    return this.#stream(response, request, (error) => {
      this.#forget(controller);
      this.#input.onStandingLost(error);
    });
  }

  #stream(response: Response, request: OpenRequest, onLost: (error: unknown) => void): Response {
    const { url, init, requestId, controller } = request;
    const stream = new EventStream({
      fetch: this.#input.fetch,
      url,
      headers: new Headers(init.headers),
      signal: controller.signal,
      requestId,
      limit: this.#input.limit,
      clock: this.#input.clock,
      onOversized: (answers) => {
        for (const id of answers) this.#input.onOversized(id);
      },
      onLost,
    });
    return withBody(response, this.#untilDone(stream.read(response), controller), () => this.#end(controller));
  }

  async *#readBody(body: AsyncIterable<unknown>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const { limit, onTrouble } = this.#input;
    let read = 0;
    try {
      for await (const chunk of body) {
        const bytes = chunk as Uint8Array;
        read += bytes.length;
        if (read > limit) throw new OversizedAnswerError(limit);
        yield bytes;
      }
    } catch (error) {
      if (!signal.aborted && describeNetworkError(error) !== undefined) await onTrouble(error);
      throw error;
    }
  }

  async *#untilDone(chunks: AsyncGenerator<Uint8Array>, controller: AbortController): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks;
    } finally {
      this.#forget(controller);
    }
  }

  #forget(controller: AbortController): void {
    if (this.#standing === controller) this.#standing = undefined;
    this.#open.delete(controller);
  }

  #end(controller: AbortController): void {
    if (!this.#open.has(controller)) return;
    this.#forget(controller);
    controller.abort();
  }

  #reportLost(requestId: string | number, error: unknown): void {
    const found = describeNetworkError(error) === undefined ? Promise.resolve() : this.#input.onTrouble(error);
    void found.then(() => this.#input.onLost(requestId, error));
  }
}

interface OpenRequest {
  url: string | URL;
  init: RequestInit;
  requestId: string | number | undefined;
  controller: AbortController;
}

/** The id of a request; a notification and the answer to a request of the server wait for nothing. */
function idOf(init: RequestInit | undefined): string | number | undefined {
  const posted = readPosted(init);
  return posted?.method === undefined ? undefined : posted.id;
}
