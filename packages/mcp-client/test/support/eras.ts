import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { createMcpHandler } from "@modelcontextprotocol/server";
import type { HttpServerConfig, StdioServerConfig } from "@toolgate/contracts";
import { onTestFinished } from "vitest";

import { createServer } from "../servers/era-fixture.mjs";
import { serveLoopback, type SeenRequest } from "./loopback.ts";

const ERA_SERVER = fileURLToPath(new URL("../servers/era-server.mjs", import.meta.url));

/** How a fixture server meets the initialize era. */
export interface EraOptions {
  /** `reject` makes it modern-only. */
  legacy?: "serve" | "reject";
  /** A file that gets the method of each message. */
  log?: string;
  /** Lists one tool whose schema no SDK accepts. */
  oddTool?: boolean;
}

/** An entry that starts the server of revision 2026-07-28. */
export function eraServer(options: EraOptions = {}, extra: Partial<StdioServerConfig> = {}): StdioServerConfig {
  return { command: process.execPath, args: [ERA_SERVER, JSON.stringify(options)], ...extra };
}

/** The methods in a log, in order. */
export function loggedMethods(log: string): string[] {
  return existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean) : [];
}

/** The same server over HTTP, and what it was asked. */
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
