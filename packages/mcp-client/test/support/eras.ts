import type { ServerResponse } from "node:http";

import { createMcpHandler } from "@modelcontextprotocol/server";
import type { HttpServerConfig } from "@toolgate/contracts";
import { onTestFinished } from "vitest";

import { createServer } from "../../../../tooling/fixture-servers/era-tools.mjs";
import type { EraOptions } from "../../../../tooling/fixture-servers/index.mjs";
import { serveLoopback, type SeenRequest } from "./loopback.ts";

/** A server over HTTP, and what it was asked. */
export interface ServedEras {
  config: HttpServerConfig;
  seen: SeenRequest[];
  methods(): string[];
  /** Ends the answers that are not complete yet, event streams among them. */
  dropAnswers(): void;
}

/** The server of revision 2026-07-28 over HTTP. */
export async function serveEras(options: EraOptions = {}): Promise<ServedEras> {
  const handler = createMcpHandler(
    () =>
      createServer(options, (method, params) => {
        if (method === "notifications/tools/list_changed") handler.notify.toolsChanged();
        else handler.notify.resourceUpdated(String(params?.["uri"]));
      }),
    { legacy: options.legacy === "reject" ? "reject" : "stateless" },
  );
  const open = new Set<ServerResponse>();
  const { url, seen } = await serveLoopback((request, response) => {
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (typeof value === "string") headers.set(name, value);
    const gone = new AbortController();
    open.add(response);
    response.on("close", () => {
      open.delete(response);
      gone.abort();
    });
    const body = request.method === "POST" ? { body: request.body } : {};
    const web = new Request(url, { method: request.method, headers, signal: gone.signal, ...body });
    // An answer that nobody waits for any more.
    send(handler.fetch(web), response).catch(() => response.destroy());
  });
  onTestFinished(() => handler.close());
  const methods = () =>
    seen.flatMap(({ body }) => (body === "" ? [] : [(JSON.parse(body) as { method: string }).method]));
  const dropAnswers = () => {
    for (const response of open) response.destroy();
  };
  return { config: { type: "http", url }, seen, methods, dropAnswers };
}

async function send(answering: Promise<Response>, response: ServerResponse): Promise<void> {
  const answer = await answering;
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  // An event stream has headers long before it has an event.
  response.flushHeaders();
  for await (const chunk of answer.body ?? []) response.write(chunk);
  response.end();
}
