/**
 * A configurable MCP server over HTTP for tests, without the SDK: Streamable HTTP and the older transport with an event
 * stream of its own (`sse`), good as long as no fault is asked for.
 */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

/**
 * @typedef {import("node:http").IncomingMessage} IncomingMessage
 * @typedef {import("node:http").ServerResponse} ServerResponse
 * @typedef {{ id?: unknown, method?: string, params?: any }} Message
 * @typedef {{ method: string, headers: IncomingMessage["headers"], body: string }} SeenRequest
 * @typedef {{ status: number, headers?: Record<string, string>, body?: string }} PlainAnswer
 */

/**
 * Faults by what they break; `at` lists JSON-RPC methods.
 *
 * @typedef {object} HttpFaults
 * @property {"http" | "sse"} [transport] - default `http`
 * @property {number} [getStatus] - answered to GET; default 405 for `http`, a stream for `sse`
 * @property {boolean} [streamAnswers] - answers to POST come as an event stream (`http`)
 * @property {PlainAnswer} [refuseAll] - answered to everything
 * @property {Record<string, PlainAnswer>} [refuse] - answered to these JSON-RPC methods
 * @property {string[]} [neverAnswerAt] - the request stays open
 * @property {string[]} [dropAt] - the connection is cut without an answer
 * @property {string[]} [cutAnswerAt] - the connection is cut in the middle of the answer
 * @property {string[]} [dieAt] - the whole server is gone, with all of its connections
 * @property {string} [contentType] - of each answer, whatever it holds
 * @property {string} [redirectTo] - POST is sent there, by status 307
 * @property {object} [capabilities]
 * @property {unknown[]} [tools] - listed as they are
 * @property {number} [answerSize] - characters of the text that tools answer with
 */

const EVENT_STREAM = "text/event-stream";

/**
 * Starts a server on a free loopback port.
 *
 * @param {HttpFaults} [faults]
 */
export async function startHttpServer(faults = {}) {
  const server = new FaultyServer(faults);
  await server.listen();
  return server;
}

class FaultyServer {
  /** All requests so far. @type {SeenRequest[]} */
  seen = [];
  /** Where the client connects. */
  url = "";
  #faults;
  /** @type {Set<string>} */
  #sessions = new Set();
  /** Event streams of the transport `sse`, by session. @type {Map<string, ServerResponse>} */
  #streams = new Map();
  #server = createServer((request, response) => void this.#receive(request, response));

  /** @param {HttpFaults} faults */
  constructor(faults) {
    this.#faults = faults;
  }

  async listen() {
    await new Promise((resolve) => this.#server.listen(0, "127.0.0.1", () => resolve(undefined)));
    const address = this.#server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    this.url = `http://127.0.0.1:${port}/${this.#faults.transport === "sse" ? "sse" : "mcp"}`;
  }

  /** Forgets all sessions, as a server does that is started again. */
  forgetSessions() {
    this.#sessions.clear();
  }

  async close() {
    this.#server.closeAllConnections();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  /** @param {IncomingMessage} request @param {ServerResponse} response */
  async #receive(request, response) {
    let body = "";
    for await (const chunk of request) body += chunk;
    const method = request.method ?? "";
    const { refuseAll, redirectTo } = this.#faults;
    this.seen.push({ method, headers: request.headers, body });
    if (refuseAll !== undefined) answerPlainly(response, refuseAll);
    else if (method === "GET") this.#openStream(response);
    else if (method === "DELETE") answerPlainly(response, { status: 200 });
    else if (redirectTo !== undefined) answerPlainly(response, { status: 307, headers: { location: redirectTo } });
    else this.#answer(JSON.parse(body), request, response);
  }

  /** @param {ServerResponse} response */
  #openStream(response) {
    const { getStatus, transport } = this.#faults;
    if (getStatus !== undefined || transport !== "sse") {
      answerPlainly(response, { status: getStatus ?? 405, body: "no stream here" });
      return;
    }
    const session = randomUUID();
    this.#sessions.add(session);
    this.#streams.set(session, response);
    response.writeHead(200, { "content-type": EVENT_STREAM });
    response.write(`event: endpoint\ndata: /message?session=${session}\n\n`);
  }

  /** @param {Message} message @param {IncomingMessage} request @param {ServerResponse} response */
  #answer(message, request, response) {
    const { method = "" } = message;
    const { refuse = {}, neverAnswerAt, dropAt, dieAt, transport } = this.#faults;
    const session = sessionOf(request);
    if (method !== "initialize" && session !== undefined && !this.#sessions.has(session)) {
      answerPlainly(response, { status: 404, body: "session not found" });
    } else if (refuse[method] !== undefined) answerPlainly(response, refuse[method]);
    else if (neverAnswerAt?.includes(method)) return;
    else if (dropAt?.includes(method)) response.destroy();
    else if (dieAt?.includes(method)) void this.close();
    else if (message.id === undefined) answerPlainly(response, { status: 202 });
    else if (transport === "sse") this.#answerOnStream(message, session ?? "", response);
    else this.#answerHere(message, response);
  }

  /** @param {Message} message @param {string} session @param {ServerResponse} response */
  #answerOnStream(message, session, response) {
    answerPlainly(response, { status: 202 });
    const stream = this.#streams.get(session);
    if (this.#faults.cutAnswerAt?.includes(message.method ?? "")) stream?.destroy();
    else stream?.write(`event: message\ndata: ${JSON.stringify(this.#resultOf(message))}\n\n`);
  }

  /** @param {Message} message @param {ServerResponse} response */
  #answerHere(message, response) {
    const { contentType, cutAnswerAt, streamAnswers } = this.#faults;
    const text = JSON.stringify(this.#resultOf(message));
    /** @type {Record<string, string>} */
    const headers = { "content-type": contentType ?? (streamAnswers ? EVENT_STREAM : "application/json") };
    if (message.method === "initialize") {
      const session = randomUUID();
      this.#sessions.add(session);
      headers["mcp-session-id"] = session;
    }
    const answer = streamAnswers ? `event: message\ndata: ${text}\n\n` : text;
    response.writeHead(200, headers);
    if (cutAnswerAt?.includes(message.method ?? "")) {
      response.write(answer.slice(0, answer.length / 2), () => response.destroy());
    } else response.end(answer);
  }

  /** @param {Message} message */
  #resultOf({ id, method, params = {} }) {
    const { answerSize, capabilities = { tools: {} }, tools = [{ name: "echo" }] } = this.#faults;
    const text = answerSize === undefined ? String(params.arguments?.text ?? "") : "x".repeat(answerSize);
    /** @type {Record<string, object>} */
    const results = {
      initialize: {
        protocolVersion: params.protocolVersion,
        capabilities,
        serverInfo: { name: "faulty", version: "1" },
      },
      ping: {},
      "tools/list": { tools },
      "tools/call": { content: [{ type: "text", text }] },
    };
    const result = results[method ?? ""];
    return result === undefined
      ? { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } }
      : { jsonrpc: "2.0", id, result };
  }
}

/** @param {IncomingMessage} request */
function sessionOf(request) {
  const { "mcp-session-id": header } = request.headers;
  if (typeof header === "string") return header;
  return new URL(request.url ?? "", "http://localhost").searchParams.get("session") ?? undefined;
}

/** @param {ServerResponse} response @param {PlainAnswer} answer */
function answerPlainly(response, { status, headers, body }) {
  response.writeHead(status, headers).end(body);
}
