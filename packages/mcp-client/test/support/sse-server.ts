import type { ServerResponse } from "node:http";

import { type LoopbackServer, serveLoopback } from "./loopback.ts";
import { beginStream, eventOf, readRpc, resultOf, type RpcMessage, signal } from "./rpc-server.ts";

/** How a server of revision 2024-11-05 differs from a plain one. */
export interface SseServerOptions {
  /** Status and body for a POST to the address of the stream. @default 405 without a body */
  refusal?: { status: number; body?: string };
  /** What its `endpoint` event says. @default `/messages` */
  endpoint?: string;
  /** Answers a call itself. */
  onCall?(message: RpcMessage, stream: ServerResponse | undefined): void;
}

/** A server that speaks the transport of revision 2024-11-05 only. */
export async function serveSse(
  options: SseServerOptions = {},
): Promise<LoopbackServer & { stream: Promise<ServerResponse> }> {
  const opened = signal<ServerResponse>();
  let current: ServerResponse | undefined;
  const { refusal = { status: 405 }, endpoint = "/messages" } = options;
  const server = await serveLoopback((request, response) => {
    if (request.method === "GET") {
      beginStream(response);
      response.write(`event: endpoint\ndata: ${endpoint}\n\n`);
      current = response;
      opened.resolve(response);
    } else if (request.path !== "/messages") response.writeHead(refusal.status).end(refusal.body);
    else {
      const message = readRpc(request);
      response.writeHead(202).end();
      if (message.method === "tools/call" && options.onCall !== undefined) options.onCall(message, current);
      else if (message.id !== undefined) current?.write(eventOf({ id: message.id, result: resultOf(message) }));
    }
  });
  return { ...server, stream: opened.promise };
}
