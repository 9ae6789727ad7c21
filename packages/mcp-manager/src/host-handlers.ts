import type { ClientCapabilities, MaybePromise } from "@toolgate/contracts";
import type {
  ConnectOptions,
  ElicitationResult,
  FormElicitation,
  HandlerContext,
  SamplingRequest,
  SamplingResult,
  UrlElicitation,
} from "@toolgate/mcp-client";

/** What a handler learns beside the request: `server` is the name that the person gave the server that asks. */
export interface HostHandlerContext extends HandlerContext {
  server: string;
}

/**
 * Answers a request that one of the servers sends to its host.
 *
 * Contract: as `ServerRequestHandler` of mcp-client.
 */
export type HostRequestHandler = (
  params: Record<string, unknown>,
  context: HostHandlerContext,
) => MaybePromise<Record<string, unknown>>;

/** What a host answers to its servers. What is given is declared to them, except for `requestHandlers`. */
export interface HostHandlers {
  /**
   * Answers to requests of servers by method; they go before `sampling` and `elicitation`. What they need declared stands
   * in `clientCapabilities`. @default none
   */
  requestHandlers?: Readonly<Record<string, HostRequestHandler>>;
  /** Lets a model answer a server (`sampling/createMessage`). @default not declared */
  sampling?: (request: SamplingRequest, context: HostHandlerContext) => MaybePromise<SamplingResult>;
  /** Asks a person for a server (`elicitation/create`), by a form or a page. @default not declared */
  elicitation?: {
    form?: (request: FormElicitation, context: HostHandlerContext) => MaybePromise<ElicitationResult>;
    url?: (request: UrlElicitation, context: HostHandlerContext) => MaybePromise<ElicitationResult>;
  };
}

/** The host's handlers as those of one server's connection. */
export function bindHostHandlers(
  { requestHandlers = {}, sampling, elicitation }: HostHandlers,
  server: string,
): Pick<ConnectOptions, "requestHandlers" | "sampling" | "elicitation"> {
  const bind = <Request, Answer>(
    handler: (request: Request, context: HostHandlerContext) => MaybePromise<Answer>,
  ): ((request: Request, context: HandlerContext) => Promise<Answer>) => {
    return async (request, context) => handler(request, { ...context, server });
  };
  const methods = Object.entries(requestHandlers).map(([method, handler]) => [method, bind(handler)] as const);
  const { form, url } = elicitation ?? {};
  return {
    ...(methods.length === 0 ? {} : { requestHandlers: Object.fromEntries(methods) }),
    ...(sampling === undefined ? {} : { sampling: bind(sampling) }),
    ...(elicitation === undefined
      ? {}
      : {
          elicitation: {
            ...(form === undefined ? {} : { form: bind(form) }),
            ...(url === undefined ? {} : { url: bind(url) }),
          },
        }),
  };
}

/** What is declared to servers in all: their tools may depend on it. */
export function declaredCapabilities({
  clientCapabilities = {},
  elicitation,
  roots,
  sampling,
}: HostHandlers & { clientCapabilities?: ClientCapabilities; roots?: ConnectOptions["roots"] }): ClientCapabilities {
  return {
    ...(sampling === undefined ? {} : { sampling: {} }),
    ...(elicitation === undefined
      ? {}
      : {
          elicitation: {
            ...(elicitation.form === undefined ? {} : { form: {} }),
            ...(elicitation.url === undefined ? {} : { url: {} }),
          },
        }),
    ...(roots === undefined ? {} : { roots: {} }),
    ...clientCapabilities,
  };
}
