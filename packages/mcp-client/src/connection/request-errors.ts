import { isRecord, type ToolgateError, ToolgateError as ErrorClass } from "@toolgate/contracts";

import { describeNetworkError, HttpStatusError } from "../remote/http-errors.ts";
import type { ServerErrors } from "./server-errors.ts";
import { OversizedAnswer, UndeliveredError } from "./server-link.ts";

/** What the SDK gives to its own time limits: the JSON-RPC code of its line 1.x, and the code of 2.x. */
const SDK_TIMEOUTS: readonly unknown[] = [-32_001, "REQUEST_TIMEOUT"];

/** Names of the errors that stand for a JSON-RPC error: of the SDK's line 1.x, and of 2.x. */
const JSON_RPC_ERRORS: ReadonlySet<string> = new Set(["McpError", "ProtocolError"]);
const SDK_ERRORS: ReadonlySet<string> = new Set(["SdkError", "SdkHttpError"]);

/** What is known about a request that failed. */
export interface FailedRequest {
  method: string;
  /** Limits in milliseconds. */
  idle: number;
  total: number;
}

/** Whether an error is the SDK's own time limit, not an answer that happens to have the same code. */
export function isTimeout(error: unknown): "idle" | "total" | undefined {
  if (!(isJsonRpcError(error) || isSdkError(error)) || !SDK_TIMEOUTS.includes(error.code)) return undefined;
  if (!isRecord(error.data)) return undefined;
  if (error.message.endsWith("Request timed out") && "timeout" in error.data) return "idle";
  return error.message.endsWith("Maximum total timeout exceeded") ? "total" : undefined;
}

/** Turns what a request rejected with into an error with a code and a cause that people understand. */
export function toRequestError(error: unknown, request: FailedRequest, errors: ServerErrors): ToolgateError {
  const { method } = request;
  if (ErrorClass.isInstance(error)) return error;
  const timeout = isTimeout(error);
  if (timeout === "idle") {
    return errors.create(
      "CALL_TIMEOUT",
      `gave no answer to ${method} and no sign of progress for ${request.idle} ms; the request was cancelled. ` +
        `A longer "timeout" in its entry gives it more time.`,
      { cause: error },
    );
  }
  if (timeout === "total") {
    return errors.create(
      "CALL_TIMEOUT",
      `reported progress on ${method} but gave no answer within ${request.total} ms; the request was cancelled.`,
      { cause: error },
    );
  }
  if (error instanceof UndeliveredError) {
    return errors.create(error.tooLarge ? "TOO_LARGE" : "SERVER_ERROR", `did not get ${method}: ${error.message}.`);
  }
  if (isJsonRpcError(error)) {
    const message = errors.excerpt(error.message.replace(/^MCP error -?\d+: /, ""));
    if (error.data instanceof OversizedAnswer) {
      return errors.create("TOO_LARGE", `answered ${method} with ${message}; the limit is ${error.data.limit} bytes.`);
    }
    return errors.create("SERVER_ERROR", `answered ${method} with error ${error.code}: ${message}`, {
      data: { code: error.code, message, ...(error.data === undefined ? {} : { data: errors.redactData(error.data) }) },
    });
  }
  return toRemoteError(error, method, errors);
}

/** Errors of HTTP and of the network; anything else is an error of the server's. */
export function toRemoteError(error: unknown, method: string, errors: ServerErrors): ToolgateError {
  const status = HttpStatusError.from(error);
  if (status !== undefined) {
    const body = status.body === "" ? "" : ` The answer's body: ${errors.excerpt(status.body)}`;
    const data = { status: status.status, body: errors.excerpt(status.body) };
    const answer = `at ${errors.target} answered ${method} with HTTP status ${status.status}`;
    if (status.wantsSignIn) {
      return errors.create(
        "AUTH_REQUIRED",
        `${answer}: ${describeRefusal(status)}.${body} Sign in with "toolgate mcp auth ${errors.name}", or check "headers" and "auth" of its entry.`,
        { data: { ...data, ...readWanted(status) }, cause: error },
      );
    }
    return errors.create("HTTP_STATUS", `${answer}.${body}`, { data, cause: error });
  }
  const network = describeNetworkError(error);
  if (network !== undefined) {
    return errors.create(
      "CONNECT_FAILED",
      `at ${errors.target} could not be reached during ${method}: ${network.text}. Check that it runs and that the address is right.`,
      { data: { code: network.code }, cause: error },
    );
  }
  return errors.create("SERVER_ERROR", `failed during ${method}: ${errors.messageOf(error)}`);
}

function describeRefusal({ challenge, status }: HttpStatusError): string {
  const scopes = challenge?.scopes?.join(" ") ?? "";
  if (status === 403) return `it wants a sign-in for more${scopes === "" ? "" : `, with the scopes: ${scopes}`}`;
  return `it wants a sign-in, or refuses the one it was given${scopes === "" ? "" : `; scopes: ${scopes}`}`;
}

function readWanted({ challenge }: HttpStatusError): { resourceMetadataUrl?: string; scopes?: readonly string[] } {
  const { resourceMetadataUrl, scopes } = challenge ?? {};
  return {
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    ...(scopes === undefined ? {} : { scopes }),
  };
}

interface JsonRpcError extends Error {
  code: number;
  data?: unknown;
}

/** An error that a server answered with, where no client of the SDK was there to make one of it. */
export class AnsweredError extends Error implements JsonRpcError {
  override readonly name: string = "ProtocolError";
  readonly code: number;
  readonly data: unknown;

  constructor({ code, message, data }: { code: number; message: string; data?: unknown }) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** An error that a server answered with, told by its name: importing the SDK's classes would import all of its schemas. */
export function isJsonRpcError(error: unknown): error is JsonRpcError {
  return (
    error instanceof Error && JSON_RPC_ERRORS.has(error.name) && typeof (error as { code?: unknown }).code === "number"
  );
}

/** What line 2.x of the SDK finds wrong by itself: a limit, or an answer that is none. */
export function isSdkError(error: unknown): error is Error & { code: string; data?: unknown } {
  return error instanceof Error && SDK_ERRORS.has(error.name);
}
