/**
 * A configurable MCP server over stdio for tests and benchmarks, written without the SDK: it starts quickly and can
 * misbehave in every way that real servers do. Configured by one JSON argument; see `FixtureOptions` in index.mjs.
 */
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, watch, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";

/** @type {import("./index.mjs").FixtureOptions} */
const options = JSON.parse(process.argv[2] ?? "{}");
const delays = options.delays ?? {};
/** Calls that `sleep`, `hang`, `ask` and `sample` keep open, by request id. @type {Map<unknown, () => void>} */
const open = new Map();
/** Requests to the client that are not answered yet, by their ids. @type {Map<unknown, (answer: object) => void>} */
const asked = new Map();

if (options.pidFile !== undefined) writeFileSync(options.pidFile, String(process.pid));
if (options.stderr !== undefined) process.stderr.write(options.stderr);
if (options.ignoreSigterm === true) process.on("SIGTERM", () => {});
if (options.grandchild !== undefined) startGrandchild(options.grandchild);
for (const noise of options.stdoutNoise ?? []) process.stdout.write(noise);
if (options.exitAt === "start") process.exit(options.exitCode ?? 1);
if (options.ignoreEndOfInput === true) setInterval(() => {}, 1 << 30);

let pending = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const lines = (pending + chunk).split("\n");
  pending = lines.pop() ?? "";
  for (const line of lines.filter((text) => text.trim() !== "")) void receive(JSON.parse(line));
});
process.stdin.on("end", () => {
  if (options.ignoreEndOfInput !== true) process.exit(0);
});

/** @param {{ id?: unknown, method?: string, params?: any }} message */
async function receive(message) {
  if (options.logFile !== undefined) appendFileSync(options.logFile, `${JSON.stringify(message)}\n`);
  const { id, method = "", params = {} } = message;
  if (method === "") asked.get(id)?.(message);
  if (method === "notifications/cancelled") {
    open.get(params.requestId)?.();
    open.delete(params.requestId);
  }
  if (id === undefined || method === "" || options.neverAnswer?.includes(method)) return;
  const gate = options.waitForFile?.[method];
  if (gate !== undefined) await fileExists(gate);
  const step = method === "initialize" ? "initialize" : method === "tools/list" ? "list" : "call";
  if (delays[step] !== undefined) await new Promise((resolve) => setTimeout(resolve, delays[step]));
  if (options.exitAt === step) process.exit(options.exitCode ?? 1);
  const failure = options.failMethods?.[method];
  if (failure !== undefined) {
    send({ id, error: failure });
    return;
  }
  const handler = handlers[method];
  if (handler === undefined) send({ id, error: { code: -32601, message: `Method not found: ${method}` } });
  else handler(id, params);
}

/** @type {Record<string, (id: unknown, params: any) => void>} */
const handlers = {
  initialize(id, params) {
    reply(id, {
      protocolVersion: options.protocolVersion ?? params.protocolVersion,
      capabilities: options.capabilities ?? defaultCapabilities(),
      serverInfo: { name: options.name ?? "fixture", version: options.version ?? "1.0.0" },
      ...(options.instructions === undefined ? {} : { instructions: options.instructions }),
    });
    for (let count = options.notifyListChanged ?? 0; count > 0; count -= 1)
      send({ method: "notifications/tools/list_changed" });
  },
  ping: (id) => reply(id, {}),
  "tools/list"(id, params) {
    const tools = listTools();
    if (options.badCursor === true) {
      reply(id, { tools, nextCursor: "again" });
      return;
    }
    const pages = options.toolPages ?? 1;
    const size = Math.ceil(tools.length / pages);
    const page = params.cursor === undefined ? 0 : Number(params.cursor);
    reply(id, {
      tools: tools.slice(page * size, (page + 1) * size),
      ...(page + 1 < pages ? { nextCursor: String(page + 1) } : {}),
    });
    if (options.notifyOnList === true) send({ method: "notifications/tools/list_changed" });
  },
  "tools/call"(id, params) {
    const tool = callable[params.name];
    if (tool === undefined) send({ id, error: { code: -32602, message: `Unknown tool: ${params.name}` } });
    else tool(id, params.arguments ?? {}, params._meta ?? {});
  },
  "resources/list": (id) =>
    reply(id, { resources: (options.resources ?? []).map(({ text: _text, blob: _blob, ...resource }) => resource) }),
  "resources/templates/list": (id) => reply(id, { resourceTemplates: options.resourceTemplates ?? [] }),
  "resources/subscribe": (id) => reply(id, {}),
  "resources/unsubscribe": (id) => reply(id, {}),
  "logging/setLevel": (id) => reply(id, {}),
  "resources/read"(id, params) {
    const found = options.resources?.find((resource) => resource.uri === params.uri);
    if (found === undefined) send({ id, error: { code: -32002, message: `Resource not found: ${params.uri}` } });
    else {
      const { uri, mimeType = "text/plain", blob } = found;
      reply(id, { contents: [{ uri, mimeType, ...(blob === undefined ? { text: found.text ?? "" } : { blob }) }] });
    }
  },
  "prompts/list": (id) =>
    reply(id, { prompts: (options.prompts ?? []).map(({ messages: _messages, ...prompt }) => prompt) }),
  "prompts/get"(id, params) {
    const found = options.prompts?.find((prompt) => prompt.name === params.name);
    const text = `${params.name} ${JSON.stringify(params.arguments ?? {})}`;
    reply(id, { messages: found?.messages ?? [{ role: "user", content: { type: "text", text } }] });
  },
  "completion/complete"(id, { argument }) {
    const values = options.completions?.[argument.name] ?? [];
    reply(id, { completion: { values: values.filter((value) => value.startsWith(argument.value)) } });
  },
  // What a test has the server do, beside the protocol.
  "fixture/notify"(id, { method, params, times = 1 }) {
    for (let count = 0; count < times; count += 1) send({ method, ...(params === undefined ? {} : { params }) });
    reply(id, {});
  },
  "fixture/ask"(id, { method, params }) {
    askClient(id, { method, params }, (answer) => reply(id, { answer }));
  },
};

/** @type {Record<string, (id: unknown, args: any, meta: any) => void>} */
const callable = {
  echo: (id, { text = "" }) => replyText(id, String(text)),
  add: (id, { a = 0, b = 0 }) =>
    reply(id, { content: [{ type: "text", text: String(a + b) }], structuredContent: { sum: a + b } }),
  env: (id, { name }) => replyText(id, process.env[name] ?? "<unset>"),
  pid: (id) => replyText(id, String(process.pid)),
  cwd: (id) => replyText(id, process.cwd()),
  fail: (id) => reply(id, { content: [{ type: "text", text: "the tool says no" }], isError: true }),
  big: (id, { bytes = 1024 }) => replyText(id, "x".repeat(bytes)),
  crash(_id, { code = 9, stderr = "crashing on purpose\n" }) {
    process.stderr.write(stderr, () => process.exit(code));
  },
  // Open until it is cancelled.
  hang: (id) => open.set(id, () => {}),
  sleep(id, { ms = 1000 }) {
    const timer = setTimeout(() => {
      open.delete(id);
      replyText(id, `slept ${ms} ms`);
    }, ms);
    open.set(id, () => clearTimeout(timer));
  },
  async progress(id, { steps = 3, every = 0 }, { progressToken }) {
    for (let step = 1; step <= steps; step += 1) {
      if (every > 0) await new Promise((resolve) => setTimeout(resolve, every));
      send({
        method: "notifications/progress",
        params: { progressToken, progress: step, total: steps, message: `step ${step}` },
      });
    }
    replyText(id, `${steps} steps`);
  },
  // Listed with the option `asks` only.
  ask(id, { later, ...params }) {
    if (later === undefined) {
      askAsTool(id, "elicitation/create", params);
      return;
    }
    replyText(id, "asks later");
    void fileExists(later).then(() => askClient(id, { method: "elicitation/create", params }, () => {}));
  },
  sample: (id, params) => askAsTool(id, "sampling/createMessage", params),
};

/**
 * Sends a request to the client while a call is open; a call that is cancelled takes the request back.
 *
 * @param {unknown} id
 * @param {string} method
 * @param {object} params
 */
function askAsTool(id, method, params) {
  const question = askClient(id, { method, params }, ({ result, error }) => {
    if (!open.delete(id)) return;
    replyText(id, JSON.stringify(result ?? { error }));
  });
  open.set(id, () => send({ method: "notifications/cancelled", params: { requestId: question } }));
}

/**
 * @param {unknown} id - of the request that this is about
 * @param {object} request
 * @param {(answer: any) => void} onAnswer
 */
function askClient(id, request, onAnswer) {
  const question = `ask ${String(id)}`;
  asked.set(question, onAnswer);
  send({ id: question, ...request });
  return question;
}

function listTools() {
  if (options.toolsFile !== undefined) return JSON.parse(readFileSync(options.toolsFile, "utf8"));
  if (options.tools !== undefined) return options.tools;
  if (options.toolCount !== undefined) {
    return Array.from({ length: options.toolCount }, (_, index) => ({
      name: `tool${index}`,
      description: `Tool ${index}`,
      inputSchema: { type: "object" },
    }));
  }
  const names = Object.keys(callable).filter((name) => options.asks === true || !["ask", "sample"].includes(name));
  return names.map((name) => ({
    name,
    description: `The fixture's ${name}`,
    inputSchema: SCHEMAS[name] ?? { type: "object" },
  }));
}

function defaultCapabilities() {
  return {
    tools: { listChanged: true },
    ...(options.resources === undefined ? {} : { resources: {} }),
    ...(options.prompts === undefined ? {} : { prompts: {} }),
    ...(options.completions === undefined ? {} : { completions: {} }),
  };
}

/** @type {Record<string, object>} */
const SCHEMAS = {
  echo: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  add: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
  env: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  sleep: { type: "object", properties: { ms: { type: "integer" } } },
  ask: { type: "object", properties: { requestedSchema: { type: "object" } } },
  sample: { type: "object", properties: { maxTokens: { type: "integer" }, messages: { type: "array" } } },
};

/** @param {unknown} id @param {object} result */
function reply(id, result) {
  send({ id, result });
}

/** @param {unknown} id @param {string} text */
function replyText(id, text) {
  reply(id, { content: [{ type: "text", text }] });
}

/** @param {object} message */
function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

/** @param {string} path */
function fileExists(path) {
  return new Promise((resolve) => {
    const watcher = watch(dirname(path), (_event, name) => {
      if (name === basename(path) && existsSync(path)) done();
    });
    const done = () => {
      watcher.close();
      resolve(undefined);
    };
    // It may have been there before the watching began.
    if (existsSync(path)) done();
  });
}

/** @param {NonNullable<import("./index.mjs").FixtureOptions["grandchild"]>} grandchild */
function startGrandchild({ pidFile, detached = false }) {
  // Ignores everything but SIGKILL, and keeps none of our streams open unless it shares our group.
  const code =
    "for (const s of ['SIGTERM','SIGINT','SIGHUP']) process.on(s, () => {}); setInterval(() => {}, 1 << 30);";
  const child = spawn(process.execPath, ["-e", code], { detached, stdio: detached ? "ignore" : "inherit" });
  writeFileSync(pidFile, String(child.pid));
  if (detached) child.unref();
}
