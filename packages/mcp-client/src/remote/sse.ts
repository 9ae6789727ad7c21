import { drain, withBody } from "./body-stream.ts";
import { type Channel, type ChannelInput, MESSAGE_LIMIT } from "./channel.ts";
import { readEventBlocks } from "./event-blocks.ts";
import { describeNetworkError, isRefused, StreamEndedError } from "./http-errors.ts";
import { mediaTypeOf } from "./posted-message.ts";

/** Makes a channel that speaks the transport of revision 2024-11-05, which is deprecated; there are servers that speak no other. */
export async function openSse(input: ChannelInput): Promise<Channel> {
  const { url, headers, failures } = input;
  const sse = await import("@modelcontextprotocol/sdk/client/sse.js");
  const over = new AbortController();
  // oxlint-disable-next-line typescript/no-deprecated
  const transport = new sse.SSEClientTransport(url, {
    fetch: watchStream(input, over.signal),
    requestInit: { headers },
  });
  const start = transport.start.bind(transport);
  // An event stream that cannot be opened is reported by the SDK without its status and body.
  transport.start = () =>
    start().catch((error: unknown) => {
      throw failures.last ?? error;
    });
  return {
    type: "sse",
    transport,
    connected: () => {},
    drop: () => {},
    release: () => over.abort(),
    terminate: () => Promise.resolve(),
  };
}

/** A fetch that reports the end of the one event stream on which all answers come: a new one would know of none of them. */
function watchStream(input: ChannelInput, over: AbortSignal): typeof globalThis.fetch {
  const { fetch, events } = input;
  return async (address, init) => {
    const isGet = (init?.method ?? "GET") === "GET";
    let response: Response;
    try {
      response = await fetch(address, init);
    } catch (error) {
      if (!over.aborted && !isGet && isRefused(error)) events.onGone(error);
      throw error;
    }
    if (!isGet) {
      void drain(response);
      return new Response(null, { status: response.status, headers: response.headers });
    }
    if (!response.ok || mediaTypeOf(response) !== "text/event-stream" || response.body === null) return response;
    const { body } = response;
    const closed = new AbortController();
    return withBody(response, readStream(body, AbortSignal.any([over, closed.signal]), input), () => closed.abort());
  };
}

async function* readStream(
  body: AsyncIterable<unknown>,
  over: AbortSignal,
  { events }: ChannelInput,
): AsyncGenerator<Uint8Array> {
  let failure: unknown = new StreamEndedError("the server ended its event stream");
  try {
    for await (const { bytes, answers } of readEventBlocks(body, MESSAGE_LIMIT)) {
      if (bytes === undefined) for (const id of answers) events.onOversized(id);
      else yield bytes;
    }
  } catch (error) {
    if (describeNetworkError(error) !== undefined) failure = error;
  }
  if (!over.aborted) events.onGone(failure);
}
