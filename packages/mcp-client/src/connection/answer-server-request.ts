import type { ConnectOptions } from "./connect-options.ts";

const METHOD_NOT_FOUND = -32_601;

/**
 * Answers what a server asks of its client, from the options of the connection.
 *
 * @throws an Error with the `code` -32601 for a request that nobody answers, else what the handler throws
 */
export async function answerServerRequest(
  options: Pick<ConnectOptions, "requestHandlers" | "roots">,
  method: string,
  request: { params: Record<string, unknown>; signal: AbortSignal },
): Promise<Record<string, unknown>> {
  const handler = options.requestHandlers?.[method];
  if (handler !== undefined) return handler(request.params, { signal: request.signal });
  if (method === "roots/list" && options.roots !== undefined) return { roots: [...options.roots] };
  throw Object.assign(new Error("Method not found"), { code: METHOD_NOT_FOUND });
}
