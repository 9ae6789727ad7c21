import { isRecord } from "@toolgate/contracts";

import type { ConnectOptions } from "./connect-options.ts";
import type {
  ElicitationHandlers,
  ElicitationResult,
  HandlerContext,
  SamplingRequest,
  ServerRequestHandler,
} from "./host-handlers.ts";

const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;

/** What of a connection's options answers a server. */
export type HostAnswers = Pick<ConnectOptions, "elicitation" | "requestHandlers" | "roots" | "sampling">;

/**
 * Answers what a server asks of its client, from the options of the connection.
 *
 * @throws an Error with the `code` -32601 for a request that nobody answers, -32602 for one that cannot be understood, else
 * what the handler throws
 */
export async function answerServerRequest(
  options: HostAnswers,
  method: string,
  request: { params: Record<string, unknown>; signal: AbortSignal },
): Promise<Record<string, unknown>> {
  const handler = options.requestHandlers?.[method] ?? findHandler(options, method);
  if (handler === undefined) throw refusal(METHOD_NOT_FOUND, "Method not found");
  return handler(request.params, { signal: request.signal });
}

function findHandler({ elicitation, roots, sampling }: HostAnswers, method: string): ServerRequestHandler | undefined {
  if (method === "roots/list" && roots !== undefined) {
    return () => ({ roots: [...(typeof roots === "function" ? roots() : roots)] });
  }
  if (method === "sampling/createMessage" && sampling !== undefined) {
    return (params, context) => sampling(readSampling(params), context);
  }
  if (method === "elicitation/create" && elicitation !== undefined) {
    return async (params, context) => ({ ...(await elicit(elicitation, params, context)) });
  }
  return undefined;
}

function readSampling(params: Record<string, unknown>): SamplingRequest {
  const { messages, maxTokens } = params;
  if (!Array.isArray(messages) || !messages.every((message) => isRecord(message))) {
    throw refusal(INVALID_PARAMS, '"messages" is not a list of messages');
  }
  if (typeof maxTokens !== "number") throw refusal(INVALID_PARAMS, '"maxTokens" is not a number');
  return params as SamplingRequest;
}

async function elicit(
  handlers: ElicitationHandlers,
  params: Record<string, unknown>,
  context: HandlerContext,
): Promise<ElicitationResult> {
  const { mode = "form", message, requestedSchema, url, elicitationId } = params;
  if (typeof message !== "string") throw refusal(INVALID_PARAMS, '"message" is not a text');
  if (mode === "form" && handlers.form !== undefined) {
    if (!isRecord(requestedSchema)) throw refusal(INVALID_PARAMS, '"requestedSchema" is not an object');
    return handlers.form({ mode, message, requestedSchema }, context);
  }
  if (mode === "url" && handlers.url !== undefined) {
    if (typeof url !== "string" || !/^https?:\/\//i.test(url) || !URL.canParse(url)) {
      throw refusal(INVALID_PARAMS, '"url" is not an http address');
    }
    const id = typeof elicitationId === "string" ? { elicitationId } : {};
    return handlers.url({ mode, message, url, ...id }, context);
  }
  throw refusal(INVALID_PARAMS, "The client does not support this mode of elicitation");
}

function refusal(code: number, message: string): Error {
  return Object.assign(new Error(message), { code });
}
