import { isRecord, type ProtocolEra } from "@toolgate/contracts";

import { HttpStatusError } from "../remote/http-errors.ts";
import { MODERN_REVISION, NoDiscoveryError, UnknownRevisionError } from "./protocol-versions.ts";
import { isJsonRpcError, isSdkError } from "./request-errors.ts";

const UNSUPPORTED_REVISION = -32_022;
const METHOD_NOT_FOUND = -32_601;
const INTERNAL_ERROR = -32_603;
/** How servers of the modern era speak of a request without its envelope, whatever code they give. */
const MODERN_WORDS = /2026-07-28|server\/discover|_meta|protocol.?version/i;
/** Statuses that say nothing about what was asked: sign-in, proxies, load. */
const UNRELATED_STATUSES: ReadonlySet<number> = new Set([401, 403, 407, 408, 425, 429]);
/** Statuses of servers that fail at a method they do not know. */
const CLUMSY_STATUSES: ReadonlySet<number> = new Set([500, 501]);

/** A JSON-RPC error, wherever it stood. */
export interface RpcError {
  code: number;
  message: string;
  data: unknown;
}

/** Whether a handshake of one era failed in such a way that the other era is worth an attempt. */
export function pointsToOtherEra(era: ProtocolEra, failure: unknown): boolean {
  return era === "legacy" ? pointsToModern(failure) : pointsToLegacy(failure);
}

function pointsToModern(failure: unknown): boolean {
  if (failure instanceof UnknownRevisionError) return failure.revision === MODERN_REVISION;
  const supported = supportedRevisions(failure);
  if (supported !== undefined) return supported.includes(MODERN_REVISION);
  const error = findRpcError(failure);
  if (error === undefined) return HttpStatusError.from(failure)?.body.includes(MODERN_REVISION) === true;
  if (error.code === UNSUPPORTED_REVISION || error.code === METHOD_NOT_FOUND) return true;
  return MODERN_WORDS.test(`${error.message} ${JSON.stringify(error.data) ?? ""}`);
}

function pointsToLegacy(failure: unknown): boolean {
  if (failure instanceof NoDiscoveryError || isSdkError(failure)) return true;
  const supported = supportedRevisions(failure);
  if (supported !== undefined) return supported.some((revision) => revision < MODERN_REVISION);
  if (findRpcError(failure) !== undefined) return true;
  const status = HttpStatusError.from(failure)?.status ?? 0;
  if (UNRELATED_STATUSES.has(status)) return false;
  return (status >= 400 && status < 500) || CLUMSY_STATUSES.has(status);
}

/** What a server says instead of agreeing on a revision, in one sentence; `undefined` if it failed otherwise. */
export function describeRefusal(era: ProtocolEra, failure: unknown): string | undefined {
  if (failure instanceof UnknownRevisionError || failure instanceof NoDiscoveryError) return failure.message;
  const supported = supportedRevisions(failure);
  if (supported !== undefined) return `it speaks ${supported.join(", ")}`;
  const error = findRpcError(failure);
  if (error === undefined) return undefined;
  const isRefusal =
    error.code === UNSUPPORTED_REVISION ||
    (era === "modern" ? error.code !== INTERNAL_ERROR : pointsToModern(failure));
  const method = era === "modern" ? "server/discover" : "initialize";
  return isRefusal ? `it answered ${method} with error ${error.code}: ${error.message}` : undefined;
}

/** The revisions that a server says it speaks, if its answer names any. */
export function supportedRevisions(failure: unknown): string[] | undefined {
  if (failure instanceof NoDiscoveryError) return failure.supported;
  const error = findRpcError(failure);
  const supported = isRecord(error?.data) ? error.data["supported"] : undefined;
  return Array.isArray(supported) && supported.length > 0 ? supported.map(String) : undefined;
}

/** The JSON-RPC error of a failure: itself, or in the body of an HTTP answer. */
export function findRpcError(failure: unknown): RpcError | undefined {
  if (isJsonRpcError(failure)) {
    return { code: failure.code, message: failure.message.replace(/^MCP error -?\d+: /, ""), data: failure.data };
  }
  const answer = HttpStatusError.from(failure);
  if (answer === undefined || answer.body === "" || answer.wantsSignIn) return undefined;
  try {
    const body: unknown = JSON.parse(answer.body);
    const error = isRecord(body) ? body["error"] : undefined;
    if (!isRecord(error) || typeof error["code"] !== "number") return undefined;
    return { code: error["code"], message: String(error["message"] ?? ""), data: error["data"] };
  } catch {
    return undefined;
  }
}
