import type { ServerResponse } from "node:http";

import type { SeenRequest } from "./loopback.ts";

/** A JSON-RPC message as a test server reads it. */
export interface RpcMessage {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
}

/** The message of a POST; an empty one for other requests. */
export function readRpc(request: SeenRequest): RpcMessage {
  return request.method === "POST" ? (JSON.parse(request.body) as RpcMessage) : {};
}

/** The result of `initialize` or of `tools/call`, whose text says which tool was called. */
export function resultOf({ method, params }: RpcMessage): Record<string, unknown> {
  if (method === "initialize") {
    const serverInfo = { name: "rpc", version: "1" };
    return { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo };
  }
  if (method === "tools/list") return { tools: [{ name: "one", inputSchema: { type: "object" } }] };
  return method === "tools/call" ? { content: [{ type: "text", text: `called ${String(params?.["name"])}` }] } : {};
}

/** Answers a message with JSON: 202 to a notification. */
export function answerJson(message: RpcMessage, response: ServerResponse, headers: Record<string, string> = {}): void {
  if (message.id === undefined) {
    response.writeHead(202).end();
    return;
  }
  response.writeHead(200, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: resultOf(message) }));
}

/** Begins an event stream. */
export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
}

/** The text of one event that carries a message. */
export function eventOf(message: object, id?: string): string {
  return `${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`;
}

/** A promise that a test resolves when something has happened. */
export function signal<T = void>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
