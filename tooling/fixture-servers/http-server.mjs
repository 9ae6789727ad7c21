/**
 * A loopback MCP server over Streamable HTTP for tests, hand-written on `node:http`. It runs in the test's own process, so
 * that a test can look at what it received and change its behaviour while it runs.
 */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

import { builtInTools, callBuiltIn, numberedTools } from "./built-in-tools.mjs";

/**
 * @typedef {object} HttpFixtureOptions
 * @property {string} [name] of `serverInfo`; default `http-fixture`
 * @property {string} [protocolVersion] answered to `initialize`; default: what the client asked for
 * @property {any[]} [tools] definitions in place of the built-in ones
 * @property {number} [toolCount] so many numbered tools
 * @property {number} [status] every request is answered with this HTTP status
 * @property {string} [body] of that answer
 * @property {Record<string, string>} [responseHeaders] added to every answer, for example `WWW-Authenticate`
 * @property {Record<string, number>} [statusByMethod] HTTP status by JSON-RPC method
 * @property {boolean} [neverAnswers] takes requests and answers none of them
 * @property {string[]} [neverAnswer] JSON-RPC methods that get no answer
 * @property {boolean} [postOnly] GET is answered with 405; default true. False: GET opens an event stream
 * @property {boolean} [sessions] hands out a session id and wants it back; default false
 * @property {boolean} [eventStream] answers requests as `text/event-stream` rather than JSON; default false
 * @property {{ name: string, value: string }} [requiredHeader] 401 without it
 * @property {{ initialize?: number, list?: number, call?: number }} [delays] milliseconds
 * @property {Promise<unknown>} [answerAfter] every answer waits for it
 */

/**
 * @typedef {object} HttpFixture
 * @property {string} url of the MCP endpoint
 * @property {{ httpMethod: string, headers: import("node:http").IncomingHttpHeaders, message?: any }[]} received
 * @property {HttpFixtureOptions} options may be changed while the server runs
 * @property {(message: object) => void} push sends a message on every open event stream
 * @property {() => void} forgetSessions sessions handed out so far are answered with 404
 * @property {() => Promise<void>} close ends every connection
 */

/**
 * @param {HttpFixtureOptions} [given]
 * @returns {Promise<HttpFixture>}
 */
export async function startHttpFixture(given = {}) {
  const options = { ...given };
  /** @type {HttpFixture["received"]} */
  const received = [];
  /** @type {Set<string>} */
  const sessions = new Set();
  /** @type {Set<import("node:http").ServerResponse>} */
  const streams = new Set();
  /** @type {Map<unknown, AbortController>} */
  const calls = new Map();

  const server = createServer((request, response) => {
    void handle(request, response).catch((error) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });
  await new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(undefined));
  });
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());

  return {
    url: `http://127.0.0.1:${port}/mcp`,
    received,
    options,
    push(message) {
      for (const stream of streams) writeEvent(stream, message);
    },
    forgetSessions() {
      sessions.clear();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(() => resolve(undefined));
      });
    },
  };

  /** @param {import("node:http").IncomingMessage} request @param {import("node:http").ServerResponse} response */
  async function handle(request, response) {
    const body = await readBody(request);
    const message = body === "" ? undefined : JSON.parse(body);
    received.push({ httpMethod: request.method ?? "", headers: request.headers, message });
    for (const [name, value] of Object.entries(options.responseHeaders ?? {})) response.setHeader(name, value);
    if (options.neverAnswers === true) return;
    await options.answerAfter;
    const status = options.status ?? options.statusByMethod?.[message?.method];
    if (status !== undefined) {
      response.writeHead(status, { "content-type": "text/plain" }).end(options.body ?? `status ${status}`);
      return;
    }
    const required = options.requiredHeader;
    if (required !== undefined && request.headers[required.name.toLowerCase()] !== required.value) {
      response.writeHead(401, { "content-type": "text/plain" }).end("unauthorized");
      return;
    }
    if (request.method === "GET" && options.postOnly === false) {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" }).flushHeaders();
      streams.add(response);
      response.on("close", () => streams.delete(response));
      return;
    }
    if (request.method === "DELETE" && options.sessions === true) {
      sessions.delete(String(request.headers["mcp-session-id"]));
      response.writeHead(200).end();
      return;
    }
    if (request.method !== "POST") {
      response.writeHead(405, { allow: "POST" }).end();
      return;
    }
    if (options.sessions === true && message.method !== "initialize") {
      if (!sessions.has(String(request.headers["mcp-session-id"]))) {
        response.writeHead(404, { "content-type": "application/json" });
        response.end(
          JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32001, message: "Session not found" } }),
        );
        return;
      }
    }
    if (message.id === undefined || message.method === undefined) {
      if (message.method === "notifications/cancelled") calls.get(message.params?.requestId)?.abort();
      response.writeHead(202).end();
      return;
    }
    if (options.neverAnswer?.includes(message.method)) return;
    await respond(message, response);
  }

  /** @param {any} message @param {import("node:http").ServerResponse} response */
  async function respond(message, response) {
    if (message.method === "initialize" && options.sessions === true) {
      const session = randomUUID();
      sessions.add(session);
      response.setHeader("mcp-session-id", session);
    }
    const streamed = options.eventStream === true;
    response.writeHead(200, { "content-type": streamed ? "text/event-stream" : "application/json" });
    if (streamed) response.flushHeaders();
    const controller = new AbortController();
    calls.set(message.id, controller);
    const answer = await answerTo(message, controller.signal, (notification) => {
      if (streamed) writeEvent(response, notification);
    });
    calls.delete(message.id);
    if (answer === undefined) {
      response.end();
      return;
    }
    const whole = { jsonrpc: "2.0", id: message.id, ...answer };
    if (streamed) {
      writeEvent(response, whole);
      response.end();
    } else {
      response.end(JSON.stringify(whole));
    }
  }

  /** @param {any} message @param {AbortSignal} signal @param {(notification: object) => void} emit */
  async function answerTo(message, signal, emit) {
    const params = message.params ?? {};
    const tools = options.tools ?? (options.toolCount === undefined ? builtInTools : numberedTools(options.toolCount));
    switch (message.method) {
      case "initialize":
        await pause(options.delays?.initialize);
        return {
          result: {
            protocolVersion: options.protocolVersion ?? params.protocolVersion,
            capabilities: { tools: { listChanged: true } },
            serverInfo: { name: options.name ?? "http-fixture", version: "1.0.0" },
          },
        };
      case "ping":
        return { result: {} };
      case "tools/list":
        await pause(options.delays?.list);
        return { result: { tools } };
      case "tools/call": {
        await pause(options.delays?.call);
        if (!tools.some((tool) => tool.name === params.name))
          return { error: { code: -32602, message: `Unknown tool: ${params.name}` } };
        const token = params._meta?.progressToken;
        const result = await callBuiltIn(params.name, params.arguments ?? {}, {
          signal,
          exitCode: 1,
          progress(progress, total, text) {
            if (token === undefined) return;
            emit({
              jsonrpc: "2.0",
              method: "notifications/progress",
              params: { progressToken: token, progress, total, message: text },
            });
          },
          notify: (method, data) => emit({ jsonrpc: "2.0", method, ...(data === undefined ? {} : { params: data }) }),
        });
        return result === undefined ? undefined : { result };
      }
      default:
        return { error: { code: -32601, message: `Method not found: ${message.method}` } };
    }
  }
}

/** @param {import("node:http").ServerResponse} response @param {object} message */
function writeEvent(response, message) {
  response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}

/** @param {import("node:http").IncomingMessage} request */
async function readBody(request) {
  request.setEncoding("utf8");
  let body = "";
  for await (const chunk of request) body += chunk;
  return body;
}

/** @param {number | undefined} milliseconds */
async function pause(milliseconds) {
  if (milliseconds !== undefined && milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
