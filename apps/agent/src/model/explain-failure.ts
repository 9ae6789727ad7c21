import { AISDKError, APICallError } from "@ai-sdk/provider";
import { collectSecrets, createRedactor, isRecord, maskUrl, messageOf } from "@toolgate/contracts";
import { ProxyError } from "@toolgate/mcp-client";

import { ModelError } from "./model-error.ts";
import type { Provider } from "./providers.ts";

/** What a failure is told with. */
export interface FailureContext {
  provider: Provider;
  /** The provider's own name of the model. */
  name: string;
  baseUrl: string;
  apiKey: string;
}

const MAX_DETAIL = 500;

/** Tells what went wrong with a request: the provider, the model, the status, what it said, and what to do. */
export function explainFailure(error: unknown, context: FailureContext): ModelError {
  const known = findModelError(error);
  if (known !== undefined) return known;
  const redact = createRedactor([context.apiKey, ...collectSecrets({ type: "http", url: context.baseUrl })]);
  return new ModelError(redact(describe(error, context)), { cause: error });
}

/** What was said on purpose, also where a provider's package has wrapped it. */
function findModelError(error: unknown): ModelError | undefined {
  if (error instanceof ModelError) return error;
  return error instanceof Error ? findModelError(error.cause) : undefined;
}

function describe(error: unknown, context: FailureContext): string {
  const { displayName } = context.provider;
  if (error instanceof ProxyError) return describeUnreached(error, context);
  if (!APICallError.isInstance(error)) return `${displayName} broke off its answer: ${brief(detailOf(error))}`;
  const { statusCode: status } = error;
  if (status === undefined) return describeUnreached(error.cause ?? error, context);
  // A stream that begins and then breaks or makes no sense has a good status; what the package cannot read is its own error.
  if (status < 400 && error.cause instanceof Error && !AISDKError.isInstance(error.cause))
    return `${displayName} broke off its answer: ${brief(messageOf(deepestOf(error.cause)))}. Ask again, or take another model with /model.`;
  const said = brief(bodyOf(error)).replace(/\.$/, "");
  if (status < 400) return `${displayName} gave an answer that cannot be understood: ${said}`;
  return `${displayName} answered with HTTP status ${status}: ${said}. ${adviceFor(status, context)}`;
}

function describeUnreached(error: unknown, { provider, baseUrl }: FailureContext): string {
  const by = error instanceof ProxyError ? ` by ${error.message}` : "";
  const reason = messageOf(error instanceof ProxyError ? deepestOf(error) : error);
  return `${provider.displayName} cannot be reached at ${maskUrl(baseUrl)}${by}: ${brief(reason)}`;
}

function deepestOf(error: Error): unknown {
  return error.cause instanceof Error ? deepestOf(error.cause) : (error.cause ?? error);
}

function adviceFor(status: number, { provider, name, baseUrl }: FailureContext): string {
  const [variable] = provider.keyVariables;
  if (status === 401 || status === 403) {
    return variable === undefined
      ? `The server at ${maskUrl(baseUrl)} wants a key.`
      : `Check the key in ${provider.keyVariables.join(" or ")}, and that it may use ${name}.`;
  }
  if (status === 404)
    return `Check that the model ${name} exists at ${maskUrl(baseUrl)}; /model NAME takes another one.`;
  if (status === 413)
    return "The conversation or the tools are too large for one request: begin anew, or narrow the tools.";
  if (status === 429) return "The limit of the account is reached: wait, or take another model with /model.";
  if (status >= 500) return "The trouble is on the other side: try again later, or take another model with /model.";
  return "If it names a tool, leave that tool out with `excludeTools` of its server.";
}

/** What the body says, also in a form that the provider's package does not know, as gateways have. */
function bodyOf(error: APICallError): string {
  let body: unknown;
  try {
    body = JSON.parse(error.responseBody ?? "");
  } catch {
    return messageOf(error) || (error.responseBody ?? "");
  }
  const said = isRecord(body) && Object.keys(body).length > 0 ? detailOf(body) : "";
  return said === "" || said === "{}" ? messageOf(error) : said;
}

/** Errors within a stream are whatever the provider sends there. */
function detailOf(error: unknown): string {
  if (isRecord(error) && !(error instanceof Error)) {
    const { error: inner } = error;
    if (isRecord(inner)) return detailOf(inner);
    if (typeof inner === "string") return inner;
    if (typeof error["message"] === "string") return error["message"];
    return JSON.stringify(error);
  }
  return messageOf(error);
}

function brief(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= MAX_DETAIL ? line : `${line.slice(0, MAX_DETAIL)}…`;
}
