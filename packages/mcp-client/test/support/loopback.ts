import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { onTestFinished } from "vitest";

/** One request that a loopback server got. */
export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** A server on a loopback port. */
export interface LoopbackServer {
  url: string;
  /** Its requests in the order of their arrival. */
  seen: SeenRequest[];
  /** How many connections it has accepted. */
  connections: () => number;
  /** Ends it as a crash does: connections are cut, and nobody listens any more. */
  crash: () => Promise<void>;
}

/** An HTTP server on a free loopback port, closed when the test is over. */
export async function serveLoopback(
  answer: (request: SeenRequest, response: ServerResponse) => void,
): Promise<LoopbackServer> {
  const seen: SeenRequest[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const one = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body };
      seen.push(one);
      answer(one, response);
    });
  });
  server.on("connection", () => (connections += 1));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const crash = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(crash);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  return { url, seen, connections: () => connections, crash };
}

/** An address that was free a moment ago, and that nobody listens to. */
export async function closedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return `http://127.0.0.1:${port}/mcp`;
}

/** Answers `initialize`, notifications and `tools/list` as a small POST-only server does. */
export function answerMinimal(request: SeenRequest, response: ServerResponse): void {
  if (request.method !== "POST") {
    response.writeHead(405).end();
    return;
  }
  const { id, method } = JSON.parse(request.body) as { id?: number; method: string };
  if (id === undefined) {
    response.writeHead(202).end();
    return;
  }
  const result =
    method === "initialize"
      ? { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "minimal", version: "1" } }
      : { tools: [{ name: "one", inputSchema: { type: "object" } }] };
  response.writeHead(200, { "content-type": "application/json", "mcp-session-id": "session-1" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
}
