import { createMcpHandler } from "@modelcontextprotocol/server";
import type { HttpServerConfig } from "@toolgate/contracts";
import { onTestFinished } from "vitest";

import { createServer } from "../../../../tooling/fixture-servers/era-tools.mjs";
import type { EraOptions } from "../../../../tooling/fixture-servers/index.mjs";
import { serveLoopback, type SeenRequest } from "./loopback.ts";

/** The server of revision 2026-07-28 over HTTP, and what it was asked. */
export async function serveEras(
  options: EraOptions = {},
): Promise<{ config: HttpServerConfig; seen: SeenRequest[]; methods: () => string[] }> {
  const handler = createMcpHandler(
    () =>
      createServer(options, (method, params) => {
        if (method === "notifications/tools/list_changed") handler.notify.toolsChanged();
        else handler.notify.resourceUpdated(String(params?.["uri"]));
      }),
    { legacy: options.legacy === "reject" ? "reject" : "stateless" },
  );
  const { url, seen } = await serveLoopback((request, response) => {
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) if (typeof value === "string") headers.set(name, value);
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const body = request.method === "POST" ? { body: request.body } : {};
    const web = new Request(url, { method: request.method, headers, signal: gone.signal, ...body });
    void handler.fetch(web).then(async (answer) => {
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      // An event stream has headers long before it has an event.
      response.flushHeaders();
      for await (const chunk of answer.body ?? []) response.write(chunk);
      response.end();
    });
  });
  onTestFinished(() => handler.close());
  const methods = () => seen.flatMap(({ body }) => (body === "" ? [] : [(JSON.parse(body) as { method: string }).method]));
  return { config: { type: "http", url }, seen, methods };
}
