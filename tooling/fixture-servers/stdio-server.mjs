/**
 * A hand-written MCP server over stdio whose behaviour, good or bad, is chosen by one JSON object: the first argument, or
 * the environment variable FIXTURE. It imports nothing but Node's own modules, so that it starts quickly, and shares no
 * code with the library, so that it can prove it wrong. `FixtureOptions` in `fixture-options.mjs` documents every field.
 */
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";

import { builtInTools, callBuiltIn, numberedTools } from "./built-in-tools.mjs";

/** @typedef {import("./fixture-options.mjs").FixtureOptions} FixtureOptions */
/** @typedef {{ jsonrpc?: string, id?: string | number, method?: string, params?: any, result?: any, error?: any }} Message */

/** @type {FixtureOptions} */
const options = JSON.parse(process.argv[2] ?? process.env["FIXTURE"] ?? "{}");
/** Aborts of the calls in flight, by request id. @type {Map<string | number, AbortController>} */
const calls = new Map();
let initialized = false;

if (options.pidFile !== undefined) appendFileSync(options.pidFile, `${process.pid}\n`);
if (options.ignoreSigterm === true) process.on("SIGTERM", () => {});
if (options.ignoreEndOfInput === true || options.ignoreSigterm === true) setInterval(() => {}, 1 << 30);
if (options.spawnChild !== undefined && options.spawnChild !== false) spawnStubbornChild(options.spawnChild);
if (options.stderr !== undefined) writeFileSync(2, options.stderr);
for (const line of options.stdoutNoise ?? []) process.stdout.write(`${line}\n`);
exitIfTold("start");
await pause(options.delays?.start);

let buffered = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (/** @type {string} */ chunk) => {
  buffered += chunk;
  const lines = buffered.split("\n");
  buffered = lines.pop() ?? "";
  for (const line of lines) if (line.trim() !== "") receive(line);
});
process.stdin.on("end", () => {
  log({ event: "end-of-input" });
  if (options.ignoreEndOfInput !== true) process.exit(options.exitCodeAtEnd ?? 0);
});
process.stdin.on("error", () => {});
process.stdout.on("error", () => {});

/** @param {string} line */
function receive(line) {
  /** @type {Message} */
  const message = JSON.parse(line);
  log(message);
  if (message.method === undefined) return;
  if (message.id === undefined) {
    notified(message);
    return;
  }
  void answer(message.id, message);
}

/** @param {Message} message */
function notified(message) {
  if (message.method === "notifications/cancelled") calls.get(message.params?.requestId)?.abort();
  if (message.method !== "notifications/initialized") return;
  initialized = true;
  for (const request of options.requestsAfterInitialized ?? []) send({ jsonrpc: "2.0", ...request });
  for (let sent = 0; sent < (options.notifyListChanged ?? 0); sent += 1) {
    notify("notifications/tools/list_changed");
  }
}

/** @param {string | number} id @param {Message} message */
async function answer(id, message) {
  const method = message.method ?? "";
  const failure = options.failMethods?.[method];
  if (options.neverAnswer?.includes(method)) return;
  await gate(method);
  if (failure !== undefined) {
    send({ jsonrpc: "2.0", id, error: failure });
    return;
  }
  try {
    const result = await resultOf(id, method, message.params ?? {});
    if (result !== undefined) send({ jsonrpc: "2.0", id, result });
  } catch (error) {
    const code = error instanceof RequestError ? error.code : -32603;
    send({ jsonrpc: "2.0", id, error: { code, message: error instanceof Error ? error.message : String(error) } });
  }
}

class RequestError extends Error {
  /** @param {number} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** @param {string | number} id @param {string} method @param {any} params */
async function resultOf(id, method, params) {
  switch (method) {
    case "initialize":
      exitIfTold("initialize");
      await pause(options.delays?.initialize);
      return {
        protocolVersion: options.protocolVersion ?? params.protocolVersion ?? "2025-11-25",
        capabilities: options.capabilities ?? defaultCapabilities(),
        serverInfo: { name: options.name ?? "fixture", version: options.version ?? "1.0.0" },
        ...(options.instructions === undefined ? {} : { instructions: options.instructions }),
      };
    case "ping":
      return {};
    case "tools/list":
      exitIfTold("list");
      await pause(options.delays?.list);
      return page(currentTools(), params.cursor);
    case "tools/call":
      exitIfTold("call");
      await pause(options.delays?.call);
      return callTool(id, params);
    case "resources/list":
      return { resources: options.resources ?? [] };
    case "resources/templates/list":
      return { resourceTemplates: options.resourceTemplates ?? [] };
    case "resources/read": {
      const resource = options.resources?.find((/** @type {any} */ candidate) => candidate.uri === params.uri);
      if (resource === undefined) throw new RequestError(-32002, `Resource not found: ${params.uri}`);
      return { contents: [{ uri: resource.uri, text: resource.text ?? `Contents of ${resource.name}` }] };
    }
    case "prompts/list":
      return { prompts: options.prompts ?? [] };
    case "prompts/get": {
      const prompt = options.prompts?.find((/** @type {any} */ candidate) => candidate.name === params.name);
      if (prompt === undefined) throw new RequestError(-32602, `Unknown prompt: ${params.name}`);
      const text = `${prompt.name} ${JSON.stringify(params.arguments ?? {})}`;
      return { messages: [{ role: "user", content: { type: "text", text } }] };
    }
    case "completion/complete":
      return { completion: { values: [`${params.argument?.value ?? ""}-completed`], total: 1, hasMore: false } };
    case "logging/setLevel":
      return {};
    default:
      throw new RequestError(-32601, `Method not found: ${method}`);
  }
}

function defaultCapabilities() {
  return {
    tools: { listChanged: true },
    ...(options.resources === undefined ? {} : { resources: {} }),
    ...(options.prompts === undefined ? {} : { prompts: {} }),
  };
}

/** @returns {any[]} */
function currentTools() {
  if (options.toolsFile !== undefined) return JSON.parse(readFileSync(options.toolsFile, "utf8"));
  if (options.tools !== undefined) return options.tools;
  if (options.toolCount !== undefined) return numberedTools(options.toolCount);
  return builtInTools;
}

/** @param {any[]} tools @param {string | undefined} cursor */
function page(tools, cursor) {
  if (options.badCursor === "same" && cursor !== undefined) return { tools: [], nextCursor: cursor };
  if (options.badCursor === "endless") {
    return { tools: cursor === undefined ? tools : [], nextCursor: `${Number(cursor ?? 0) + 1}` };
  }
  const pages = options.toolPages ?? 1;
  const index = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isInteger(index) || index < 0 || index >= pages)
    throw new RequestError(-32602, `Invalid cursor: ${cursor}`);
  const size = Math.ceil(tools.length / pages);
  const slice = tools.slice(index * size, (index + 1) * size);
  if (options.badCursor === "same") return { tools: slice, nextCursor: "again" };
  if (options.badCursor === "refused" && index === 0) return { tools: slice, nextCursor: "refused" };
  return index + 1 < pages ? { tools: slice, nextCursor: String(index + 1) } : { tools: slice };
}

/** @param {string | number} id @param {any} params */
async function callTool(id, params) {
  const known = currentTools().some((tool) => tool?.name === params.name);
  if (!known) throw new RequestError(-32602, `Unknown tool: ${params.name}`);
  const fixed = options.results?.[params.name];
  if (fixed !== undefined) return fixed;
  const controller = new AbortController();
  calls.set(id, controller);
  const token = params._meta?.progressToken;
  try {
    return await callBuiltIn(params.name, params.arguments ?? {}, {
      signal: controller.signal,
      exitCode: options.exitCode ?? 1,
      progress(progress, total, message) {
        if (token !== undefined) {
          notify("notifications/progress", { progressToken: token, progress, total, message });
        }
      },
      notify,
    });
  } finally {
    calls.delete(id);
  }
}

/** @param {string} method @param {unknown} [params] */
function notify(method, params) {
  send({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) });
}

/** @param {unknown} message */
function send(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

/** @param {unknown} entry */
function log(entry) {
  if (options.logFile !== undefined) appendFileSync(options.logFile, `${JSON.stringify(entry)}\n`);
}

/** @param {"start" | "initialize" | "list" | "call"} moment */
function exitIfTold(moment) {
  if (options.exitAfter !== moment) return;
  process.exit(options.exitCode ?? 1);
}

/**
 * Holds an answer back until the gate's file exists. Polled: `fs.watch` misses files made before the watch began.
 *
 * @param {string} method
 */
async function gate(method) {
  const short = method === "tools/list" ? "list" : method === "tools/call" ? "call" : method;
  const file = options.waitForFile?.[method] ?? options.waitForFile?.[short];
  if (file === undefined) return;
  for (;;) {
    if (existsSync(file)) return;
    await pause(5);
  }
}

/** @param {number | undefined} milliseconds */
async function pause(milliseconds) {
  if (milliseconds !== undefined && milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * A grandchild of the host that ignores end of input and SIGTERM and holds stdout open.
 *
 * @param {true | { detached?: boolean, pidFile?: string, clearEnvironment?: boolean }} choice
 */
function spawnStubbornChild(choice) {
  const wanted = choice === true ? {} : choice;
  const script = `process.on("SIGTERM",()=>{});process.on("SIGINT",()=>{});process.on("SIGHUP",()=>{});setInterval(()=>{},1<<30)`;
  const child = spawn(process.execPath, ["-e", script], {
    detached: wanted.detached === true,
    stdio: ["ignore", "inherit", "ignore"],
    env: wanted.clearEnvironment === true ? {} : process.env,
  });
  child.unref();
  if (wanted.pidFile !== undefined) appendFileSync(wanted.pidFile, `${child.pid}\n`);
}

// Tells tests that read the log that the handshake has come to its end.
process.on("exit", (code) => log({ event: "exit", code, initialized }));
