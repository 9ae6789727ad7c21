import type { MaybePromise } from "@toolgate/contracts";
import type { ConnectOptions, ServerRequestHandler } from "@toolgate/mcp-client";

/**
 * Answers a request that one of the servers sends to its host, for sampling or elicitation for example.
 *
 * Contract: as `ServerRequestHandler` of mcp-client; `server` is the name that the person gave the server, so that it can
 * be said who asks.
 */
export type HostRequestHandler = (
  params: Record<string, unknown>,
  context: Parameters<ServerRequestHandler>[1] & { server: string },
) => MaybePromise<Record<string, unknown>>;

/** The host's handlers as those of one server's connection. */
export function bindHostHandlers(
  handlers: Readonly<Record<string, HostRequestHandler>> | undefined,
  server: string,
): Pick<ConnectOptions, "requestHandlers"> {
  if (handlers === undefined) return {};
  const bound = Object.entries(handlers).map(([method, handler]): [string, ServerRequestHandler] => [
    method,
    (params, context) => handler(params, { ...context, server }),
  ]);
  return { requestHandlers: Object.fromEntries(bound) };
}
