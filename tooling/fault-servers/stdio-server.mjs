/**
 * A hand-written MCP server over standard input and output whose behaviour, good or bad, is given as JSON in its first
 * argument; see `StdioFaults` in index.mjs. It has no dependency, so that it starts as fast as Node.js does.
 */
import { spawn } from "node:child_process";
import { writeSync } from "node:fs";

/** @typedef {Record<string, any>} Json parsed JSON; what it holds is up to the test */

/** @type {Json & import("./index.mjs").StdioFaults} */
const script = JSON.parse(process.argv[2] ?? "{}");
/** @type {Json[]} */
const received = [];
let pages = 0;

if (script["ignoreSignals"]) for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {});
if (script["countSignals"]) process.on("SIGTERM", () => writeSync(2, "got SIGTERM\n"));
if (script["resumeOnSignal"] !== undefined) process.on(script["resumeOnSignal"], () => process.stdin.resume());
if (script["ignoreEnd"]) setInterval(() => {}, 1_000_000);
if (script["stderr"] !== undefined) writeSync(2, script["stderr"]);
if (script["exitAtStart"] !== undefined) process.exit(script["exitAtStart"]);
for (const raw of script["rawOutput"] ?? []) process.stdout.write(raw);

/** Grandchildren that run until they are killed, whatever happens to their input. */
const sleeper = [
  "-e",
  "for (const s of ['SIGTERM','SIGHUP','SIGINT']) process.on(s, () => {}); setInterval(() => {}, 1000000)",
];
const grandchildren = (script["grandchildren"] ?? []).map((/** @type {Json} */ kind) => {
  const env = kind["clearEnvironment"] ? { PATH: process.env["PATH"] } : process.env;
  const child = spawn(process.execPath, sleeper, { detached: kind["newSession"] === true, env, stdio: "ignore" });
  child.unref();
  return child.pid;
});

/** @type {Record<string, (args: Json) => string>} */
const tools = {
  echo: (args) => args["text"],
  env: () => JSON.stringify(process.env),
  received: () => JSON.stringify(received),
  grandchildren: () => JSON.stringify(grandchildren),
  pid: () => String(process.pid),
};

/** @param {unknown} value */
function asText(value) {
  return { content: [{ type: "text", text: String(value) }] };
}

/** @param {Json} message */
function send(message) {
  process.stdout.write(
    `${script["glue"] ?? ""}${JSON.stringify({ jsonrpc: "2.0", ...message })}${script["lineEnd"] ?? "\n"}`,
  );
}

/**
 * @param {unknown} id
 * @param {Json} params
 */
function call(id, params) {
  /** @type {string} */
  const name = params["name"];
  /** @type {Json} */
  const args = params["arguments"] ?? {};
  const progressToken = params["_meta"]?.progressToken;
  const simple = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (simple !== undefined) return send({ id, result: asText(simple(args)) });
  switch (name) {
    case "hang":
      return undefined;
    case "die":
      writeSync(2, args["stderr"] ?? "");
      if (args["signal"]) process.kill(process.pid, args["signal"]);
      else process.exit(args["code"] ?? 1);
      return undefined;
    case "big":
      return send({ id, result: asText("x".repeat(args["size"])) });
    case "error":
      return send({ id, error: { code: args["code"], message: args["message"] } });
    case "progress": {
      let step = 0;
      const timer = setInterval(() => {
        step += 1;
        send({ method: "notifications/progress", params: { progressToken, progress: step, total: args["steps"] } });
        if (step < args["steps"]) return;
        clearInterval(timer);
        send({ id, result: asText("done") });
      }, args["every"]);
      return undefined;
    }
    case "ask":
      askClient(args, (answer) => send({ id, result: asText(JSON.stringify(answer)) }));
      return undefined;
    case "cancelAsked":
      send({ method: "notifications/cancelled", params: { requestId: args["id"], reason: "not needed any more" } });
      return send({ id, result: asText("cancelled") });
    case "deep": {
      const levels = args["levels"];
      const result = `{"structuredContent":${"[".repeat(levels)}${"]".repeat(levels)}}`;
      process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}\n`);
      return undefined;
    }
    case "inBytes": {
      // Every byte is a write of its own, so that characters are cut in two.
      const line = Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", id, result: asText(args["text"]) })}\n`);
      const writeNext = (/** @type {number} */ index) => {
        if (index < line.length) process.stdout.write(line.subarray(index, index + 1), () => writeNext(index + 1));
      };
      writeNext(0);
      return undefined;
    }
    case "notify":
      send({ method: args["method"], params: args["params"] });
      return send({ id, result: asText("sent") });
    case "stopReading":
      process.stdin.pause();
      return send({ id, result: asText("paused") });
    case "closeOutput":
      process.stdout.end();
      return undefined;
    case "raw":
      return send({ id, result: args["result"] });
    default:
      return send({ id, error: { code: -32602, message: `unknown tool ${name}` } });
  }
}

/** @type {Map<string, (answer: Json) => void>} */
const waiting = new Map();
/**
 * @param {Json} request
 * @param {(answer: Json) => void} then
 */
function askClient({ method, params, id = `server-${waiting.size}` }, then) {
  waiting.set(id, then);
  send({ id, method, ...(params === undefined ? {} : { params }) });
}

/**
 * @param {unknown} id
 * @param {string | undefined} cursor
 */
function list(id, cursor) {
  pages += 1;
  if (script["endless"]) {
    const item = { name: `tool-${pages}`, inputSchema: { type: "object" } };
    return send({ id, result: { tools: script["endless"] === "empty" ? [] : [item], nextCursor: `page-${pages}` } });
  }
  const answer = script["pages"]?.find(
    (/** @type {Json} */ page) => page["cursor"] === cursor || (page["cursor"] === undefined && cursor === undefined),
  );
  if (answer === undefined) return send({ id, error: { code: -32602, message: `bad cursor ${cursor} (${pages})` } });
  const { tools: listed, nextCursor } = answer;
  return send({ id, result: { tools: listed, ...(nextCursor === undefined ? {} : { nextCursor }) } });
}

/** @param {Json} message */
function handle(message) {
  received.push(message);
  const { id, method, params = {} } = message;
  if (method === undefined) {
    waiting.get(id)?.(message);
    return;
  }
  if (id === undefined) return;
  if (method === "initialize") {
    if (script["silent"]) return;
    if (script["initializeError"] !== undefined) return send({ id, error: script["initializeError"] });
    send({
      id,
      result: script["initializeResult"] ?? {
        protocolVersion: script["protocolVersion"] ?? params.protocolVersion,
        capabilities: script["capabilities"] ?? { tools: {} },
        serverInfo: { name: "scripted", version: "1" },
      },
    });
  } else if (script["answers"] !== undefined && Object.hasOwn(script["answers"], method)) {
    send({ id, result: script["answers"][method] });
  } else if (method === "tools/list") list(id, params.cursor);
  else if (method === "tools/call") call(id, params);
  else if (method === "ping") send({ id, result: {} });
  else if (method === "server/discover" && script["discover"] !== undefined) send({ id, result: script["discover"] });
  else if (method === "server/discover" && script["discoverError"] !== undefined)
    send({ id, error: script["discoverError"] });
  else if (script["exitAtUnknown"] !== undefined) process.exit(script["exitAtUnknown"]);
  else if (!script["ignoreUnknown"]) send({ id, error: { code: -32601, message: "Method not found" } });
}

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  rest += chunk;
  const lines = rest.split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) if (line !== "") handle(JSON.parse(line));
});
