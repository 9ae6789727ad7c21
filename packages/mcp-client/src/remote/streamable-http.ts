import { Answers } from "./answers.ts";
import { type Channel, type ChannelInput, MESSAGE_LIMIT } from "./channel.ts";
import { describeNetworkError } from "./http-errors.ts";
import { Liveness } from "./liveness.ts";
import { SessionRecovery } from "./session-recovery.ts";

/** Makes a channel that speaks Streamable HTTP. */
export async function openStreamableHttp(input: ChannelInput): Promise<Channel> {
  const { url, headers, fetch, clock, events } = input;
  const { StreamableHTTPClientTransport } = await (input.era === "modern"
    ? import("@modelcontextprotocol/client")
    : import("@modelcontextprotocol/sdk/client/streamableHttp.js"));
  const over = new AbortController();
  let isConnected = false;
  const recovery = new SessionRecovery({
    fetch,
    limit: MESSAGE_LIMIT,
    clock,
    signal: over.signal,
    onRenewed: () => {
      // The stream of the old session is of no use. A server without one has said so, and says so again.
      transport.resumeStream("").catch((error: unknown) => void error);
    },
  });
  const liveness: Liveness = new Liveness({
    ask: (signal) => recovery.post({ jsonrpc: "2.0", id: "liveness", method: "ping" }, signal),
    clock,
    interval: input.livenessInterval,
    isKnownToLive: () => answers.hasStandingStream || events.isBusy(),
    onGone: (error) => events.onGone(error),
  });
  const answers: Answers = new Answers({
    fetch: recovery.fetch,
    limit: MESSAGE_LIMIT,
    clock,
    onOversized: (requestId) => events.onOversized(requestId),
    onLost: (requestId, error) => events.onLost(requestId, error),
    // While connecting the failure itself is the answer.
    onTrouble: async (failure) => {
      if (isConnected) await liveness.check(failure);
    },
    onStandingLost: (error) => {
      // A server that only refuses the stream lives.
      if (describeNetworkError(error) !== undefined) events.onGone(error);
    },
  });
  const transport = new StreamableHTTPClientTransport(url, {
    fetch: answers.fetch,
    requestInit: { headers },
    // Streams that break are resumed below the SDK, which would leave timers behind when it is closed meanwhile.
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 0,
      maxReconnectionDelay: 0,
      reconnectionDelayGrowFactor: 1,
    },
  });
  return {
    type: "http",
    transport,
    connected: () => {
      isConnected = true;
      liveness.start();
    },
    drop: (requestId) => answers.drop(requestId),
    release: () => {
      over.abort();
      liveness.stop();
      answers.close();
    },
    terminate: () => transport.terminateSession(),
  };
}
