/**
 * A server made with the SDK of revision 2026-07-28, for either era: every tool of it proves one thing. Shared by the
 * stdio server beside it and by the HTTP server of the tests.
 */
import { appendFileSync, writeSync } from "node:fs";

import { ProtocolError, Server } from "@modelcontextprotocol/server";

/** @typedef {Record<string, any>} Json parsed JSON; what it holds is up to the test */

const ELICITATION = {
  method: "elicitation/create",
  params: {
    mode: "form",
    message: "Which colour?",
    requestedSchema: { type: "object", properties: { colour: { type: "string" } } },
  },
};
const SAMPLING = {
  method: "sampling/createMessage",
  params: { maxTokens: 10, messages: [{ role: "user", content: { type: "text", text: "hello" } }] },
};

const PAGES = [
  ["echo", "structured", "pid", "hang", "die", "fail", "refuse", "progress"],
  ["ask", "forever", "addTool", "place", "touch", "meta", "aborts"],
];

/** Wants arguments in HTTP headers, too. */
const PLACE_SCHEMA = {
  type: "object",
  properties: {
    city: { type: "string", "x-mcp-header": "City" },
    where: { type: "object", properties: { floor: { type: "integer", "x-mcp-header": "Floor" } } },
  },
};

/** Why hanging calls were given up, as far as the server was told. @type {string[]} */
const aborts = [];

/**
 * @param {unknown} value
 * @returns {{ content: any[] }}
 */
function asText(value) {
  return { content: [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }] };
}

/**
 * @param {import("./index.mjs").EraOptions} [options]
 * @param {(method: string, params?: Json) => void} [publish] - Tells all subscribers, where a request has a server of its own.
 */
export function createServer(options = {}, publish) {
  const capabilities = {
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    completions: {},
    logging: {},
  };
  // oxlint-disable-next-line typescript/no-deprecated -- pages and questions are in our hands here
  const server = new Server(
    { name: "era-fixture", version: "2.0.0" },
    { capabilities, instructions: "Ask for a colour." },
  );
  /** @type {string[]} */
  const added = [];
  const emit = publish ?? ((method, params) => void server.notification({ method, ...(params ? { params } : {}) }));

  server.setRequestHandler("tools/list", (request) => {
    const page = Number(request.params?.cursor ?? 0);
    const names = [...(PAGES[page] ?? []), ...(page === 0 ? added : [])];
    /** @type {any[]} */
    const tools = names.map((name) => ({ name, inputSchema: name === "place" ? PLACE_SCHEMA : { type: "object" } }));
    if (options.oddTool === true && page === 0) tools.push({ name: "odd", inputSchema: { type: "string" } });
    return { tools, ...(page + 1 < PAGES.length ? { nextCursor: String(page + 1) } : {}) };
  });
  server.setRequestHandler("resources/list", () => ({ resources: [{ uri: "fixture:///a", name: "a" }] }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{ uriTemplate: "fixture:///{x}", name: "x" }],
  }));
  server.setRequestHandler("resources/read", (request) => ({
    contents: [{ uri: request.params.uri, text: "contents" }],
  }));
  server.setRequestHandler("prompts/list", () => ({ prompts: [{ name: "greet" }] }));
  server.setRequestHandler("prompts/get", () => ({
    messages: [{ role: "user", content: { type: "text", text: "hi" } }],
  }));
  server.setRequestHandler("completion/complete", () => ({ completion: { values: ["red", "green"] } }));
  server.setRequestHandler("tools/call", (request, context) => /** @type {any} */ (call(request, context)));
  return server;

  /**
   * @param {Json} request
   * @param {import("@modelcontextprotocol/server").ServerContext} context
   */
  async function call(request, context) {
    const { name, arguments: args = {} } = request["params"];
    const { inputResponses } = context.mcpReq;
    switch (name) {
      case "place":
        return asText("placed");
      case "echo":
        return asText(args["text"]);
      case "structured":
        return { ...asText("42"), structuredContent: { sum: 42 }, _meta: { "example/unit": "m" } };
      case "pid":
        return asText(String(process.pid));
      case "meta":
        return asText({ envelope: context.mcpReq.envelope, meta: context.mcpReq._meta });
      case "aborts":
        return asText(aborts);
      case "hang":
        await new Promise((resolve) => {
          context.mcpReq.signal.addEventListener("abort", () => {
            aborts.push(String(context.mcpReq.signal.reason));
            resolve(undefined);
          });
        });
        return asText("given up");
      case "die":
        writeSync(2, "it hurts\n");
        return process.exit(3);
      case "fail":
        return { ...asText("the tool says no"), isError: true };
      case "refuse":
        throw new ProtocolError(-32602, "no such colour", { colour: "grue" });
      case "progress": {
        const progressToken = request["params"]["_meta"]?.progressToken;
        for (let progress = 1; progress <= 3; progress += 1) {
          await context.mcpReq.notify({
            method: "notifications/progress",
            params: { progressToken, progress, total: 3 },
          });
        }
        return asText("done");
      }
      case "ask":
        if (inputResponses === undefined) {
          /** @type {Json} */
          const inputRequests = {};
          if (args["elicit"]) inputRequests["colour"] = ELICITATION;
          if (args["sample"]) inputRequests["text"] = SAMPLING;
          if (args["roots"]) inputRequests["roots"] = { method: "roots/list" };
          return { resultType: "input_required", inputRequests, requestState: "state-1" };
        }
        return asText({ inputResponses, requestState: context.mcpReq.requestState() });
      case "forever":
        return { resultType: "input_required", inputRequests: { colour: ELICITATION } };
      case "addTool":
        added.push(String(args["name"]));
        emit("notifications/tools/list_changed");
        return asText("added");
      case "touch":
        emit("notifications/resources/updated", { uri: String(args["uri"]) });
        return asText("touched");
      default:
        throw new ProtocolError(-32602, `unknown tool ${name}`);
    }
  }
}

/**
 * Appends the method of each message to a file, for counting across processes.
 *
 * @param {string | undefined} file
 * @param {Json} message
 */
export function logMessage(file, message) {
  if (file !== undefined && message["method"] !== undefined) appendFileSync(file, `${message["method"]}\n`);
}
