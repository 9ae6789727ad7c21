import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { isRecord } from "@toolgate/contracts";

import { MODERN_REVISION } from "../connection/protocol-versions.ts";

const RAW = Symbol("the result as sent");

/** A result that the SDK's schemas accept in answer to any method. */
const ACCEPTED: Readonly<Record<string, unknown>> = {
  resultType: "complete",
  ttlMs: 0,
  cacheScope: "private",
  content: [],
  tools: [],
  prompts: [],
  messages: [],
  resources: [],
  resourceTemplates: [],
  contents: [],
  completion: { values: [] },
  supportedVersions: [MODERN_REVISION],
  capabilities: {},
};

/**
 * Hands a final result past the SDK's schemas, which would refuse a whole list for one odd tool;
 * {@link readRawResult} takes it out again. A server that forgot to say that its result is final is understood.
 */
export function wrapResult(message: JSONRPCMessage): JSONRPCMessage {
  if (!("result" in message)) return message;
  const { resultType = "complete" } = message.result;
  return resultType === "complete" ? { ...message, result: { ...ACCEPTED, [RAW]: message.result } } : message;
}

/** The result as its server sent it, without the field that tells a final result from a question. */
export function readRawResult(result: unknown): Record<string, unknown> {
  if (!isRecord(result)) return {};
  const raw = (result as { [RAW]?: unknown })[RAW];
  if (!isRecord(raw)) return result;
  const { resultType: _, ...rest } = raw;
  return rest;
}
