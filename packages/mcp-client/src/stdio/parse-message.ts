import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { isRecord } from "@toolgate/contracts";

/** What a line of a server's output turned out to be. */
export interface ParsedLine {
  messages: JSONRPCMessage[];
  /** Why something on the line was left out. */
  junk?: string;
}

const MESSAGE_START = /\{\s*"(?:jsonrpc|id|result|error|method|params)"/g;
const SALVAGE_ATTEMPTS = 5;

/**
 * Reads one line of a server's output. Never throws: servers print banners, log lines and half lines there, and a
 * message may stand behind one of them on the same line.
 */
export function parseMessageLine(line: string): ParsedLine {
  const text = line.trim();
  if (text === "" || text === "\uFEFF") return { messages: [] };
  const whole = parseJson(text);
  if (whole !== undefined) return sortOut(whole.value);
  let attempts = 0;
  for (const { index } of text.matchAll(MESSAGE_START)) {
    if (index === 0) continue;
    attempts += 1;
    if (attempts > SALVAGE_ATTEMPTS) break;
    const rest = parseJson(text.slice(index));
    if (rest !== undefined) return { ...sortOut(rest.value), junk: "text before a message" };
  }
  return { messages: [], junk: "not JSON" };
}

/** The id of the request that an answer belongs to, read off the beginning or the end of the answer's text. */
export function findAnsweredId(head: string, tail: string): string | number | undefined {
  const value = `(-?\\d+|"(?:[^"\\\\]|\\\\.)*")`;
  const version = `"jsonrpc"\\s*:\\s*"2\\.0"`;
  const first = new RegExp(`^\\s*\\{\\s*(?:${version}\\s*,\\s*)?"id"\\s*:\\s*${value}\\s*,\\s*"(?!method)`).exec(head);
  const last = new RegExp(`"id"\\s*:\\s*${value}\\s*(?:,\\s*${version}\\s*)?\\}\\s*$`).exec(tail);
  const id = first?.[1] ?? last?.[1];
  return id === undefined ? undefined : (JSON.parse(id) as string | number);
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function sortOut(value: unknown): ParsedLine {
  if (isRecord(value)) {
    const message = toMessage(value);
    return message === undefined ? { messages: [], junk: "not a JSON-RPC message" } : { messages: [message] };
  }
  // Batches are part of revision 2025-03-26.
  if (Array.isArray(value)) {
    const messages = value.flatMap((item) => (isRecord(item) ? (toMessage(item) ?? []) : []));
    return messages.length === value.length ? { messages } : { messages, junk: "not a JSON-RPC message in a batch" };
  }
  return { messages: [], junk: `a JSON ${value === null ? "null" : typeof value}` };
}

/** The message with its known fields only: the SDK would refuse an answer for one more, and the caller would wait. */
function toMessage(value: Record<string, unknown>): JSONRPCMessage | undefined {
  const { id, method, params, result, error } = value;
  if (typeof method === "string") {
    const message: Record<string, unknown> = { jsonrpc: "2.0", method };
    if (id !== undefined && id !== null) message["id"] = id;
    if (isRecord(params)) message["params"] = params;
    return message as unknown as JSONRPCMessage;
  }
  if (typeof id !== "number" && typeof id !== "string") return undefined;
  if (isRecord(error)) {
    const code = typeof error["code"] === "number" ? Math.trunc(error["code"]) : -32603;
    const text = typeof error["message"] === "string" ? error["message"] : JSON.stringify(error);
    return { jsonrpc: "2.0", id, error: { code, message: text, data: error["data"] } };
  }
  return isRecord(result) ? { jsonrpc: "2.0", id, result } : undefined;
}
