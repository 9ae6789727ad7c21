import { inspect } from "node:util";

import { callTool, connectToServer, listTools } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { answerMinimal, serveLoopback } from "../../packages/mcp-client/test/support/loopback.ts";
import { callForText, connect, failureOf, scripted } from "../../packages/mcp-client/test/support/scripted.ts";
import { serveHttp } from "../support/http-faults.ts";

const secret = "sk-very-secret-0123456789";

function collectingLogger() {
  const lines: unknown[] = [];
  const log = (...parts: unknown[]) => void lines.push(parts);
  return { lines, logger: { debug: log, info: log, warn: log, error: log } };
}

test("a secret that a server prints is in no error, no log and no error output", async () => {
  const { lines, logger } = collectingLogger();
  const config = scripted(
    { stderr: `key is ${secret}\n`, rawOutput: [`${secret}\n`], exitAtStart: 1 },
    { env: { KEY: secret } },
  );
  // Args are shown, so that the script's own text must not hold the secret: it comes by the environment.
  config.args = ["-e", "console.error(process.env.KEY); console.log(process.env.KEY); process.exit(1)"];
  const error = await failureOf(connectToServer("leaky", config, { logger, compileCacheDirectory: false }));
  expect(error.message).toContain("***");
  expect(inspect(error, { depth: 9 }) + inspect(lines, { depth: 9 })).not.toContain(secret);
});

test("a printed connection shows no secret, and its error output is redacted", async () => {
  const connection = await connect(scripted({}, { env: { KEY: secret } }));
  expect(await callForText(connection, "env")).toContain(secret);
  expect(inspect(connection, { depth: 9 })).not.toContain(secret);
});

test("headers and tokens go with every request and into no message", async () => {
  const { lines, logger } = collectingLogger();
  const { url, seen } = await serveHttp();
  const config = {
    type: "http",
    url,
    headers: { "X-Key": secret },
    auth: { type: "bearer", token: `t-${secret}` },
  } as const;
  const connection = await connect(config, { logger });
  await listTools(connection);
  await connection.close();
  expect(seen.map(({ method }) => method)).toEqual(expect.arrayContaining(["POST", "GET", "DELETE"]));
  for (const { headers } of seen) {
    expect(headers).toMatchObject({ "x-key": secret, authorization: `Bearer t-${secret}` });
  }
  expect(inspect(lines, { depth: 9 }) + inspect(connection, { depth: 9 })).not.toContain(secret);
});

test("a server that echoes the header into its error page leaks nothing", async () => {
  const { url } = await serveLoopback(({ headers }, response) => {
    response.writeHead(500).end(`cannot serve ${String(headers["x-key"])}`);
  });
  const error = await failureOf(connectToServer("echo", { type: "http", url, headers: { "X-Key": secret } }));
  expect(error).toMatchObject({ code: "HTTP_STATUS", data: { status: 500, body: "cannot serve ***" } });
  expect(error.message).toContain("cannot serve ***");
  expect(inspect(error, { depth: 9 })).not.toContain(secret);
});

test("a JSON-RPC error and a command that cannot be started leak nothing, causes and data included", async () => {
  const env = { KEY: secret };
  const refusal = { code: -32000, message: `bad key ${secret}`, data: { given: [secret] } };
  const refused = await failureOf(
    connectToServer("refused", scripted({ initializeError: refusal }, { env }), { compileCacheDirectory: false }),
  );
  expect(refused).toMatchObject({ code: "HANDSHAKE_FAILED", data: { code: -32000, data: { given: ["***"] } } });
  const missing = await failureOf(
    connectToServer("missing", { command: "no-such-command", args: [`--api-key=${secret}`], env }),
  );
  expect(missing).toMatchObject({ code: "SPAWN_FAILED" });
  expect(inspect([missing], { depth: 9 })).not.toContain(secret);
});

const env = { KEY: secret };
const headers = { "X-Key": secret, Authorization: `Bearer token-${secret}` };

/** A server that fails at everything after the handshake, and says the secret each time. */
async function failing(faults: object = {}) {
  return connect(scripted({ pages: [{ tools: [], nextCursor: secret }], ...faults }, { env }));
}

/** Ways to fail, and what comes of it. */
const failures: Record<string, () => Promise<unknown>> = {
  "a command that cannot be found": () => connectToServer("s", { command: `no-${secret}`, args: [secret], env }),
  "a command line that the system refuses": () => connectToServer("s", { command: "node", args: ["\0", secret], env }),
  "a server that ends at its start": () => connectToServer("s", scripted({ stderr: secret, exitAtStart: 1 }, { env })),
  "an answer to initialize that is none": () =>
    connectToServer("s", scripted({ initializeResult: { [secret]: secret } }, { env })),
  "an unknown revision": () => connectToServer("s", scripted({ protocolVersion: secret }, { env })),
  "an error in answer to initialize": () =>
    connectToServer(
      "s",
      scripted({ initializeError: { code: -1, message: secret, data: { [secret]: [{ secret }] } } }, { env }),
    ),
  "an error in answer to a call": async () =>
    callTool(await failing(), "error", { code: -1, message: `no: ${secret}` }),
  "a page that is not there": async () => listTools(await failing()),
  "a list without an end": async () => {
    const pages = [
      { tools: [], nextCursor: secret },
      { cursor: secret, tools: [], nextCursor: secret },
    ];
    throw (await listTools(await failing({ pages }))).incomplete ?? new Error("it has an end");
  },
  "an end in the middle of a call": async () => callTool(await failing(), "die", { stderr: secret }),
  "a call without an answer": async () => callTool(await failing(), "hang", { secret }, { timeout: 20 }),
  "a call after the end": async () => {
    const connection = await failing();
    await connection.close();
    return callTool(connection, secret);
  },
  "an address where nobody is": () =>
    connectToServer("s", { type: "http", url: `http://127.0.0.1:1/mcp?api_key=${secret}`, headers }),
  "an error page that quotes everything": async () => {
    const body = `GET /mcp?api_key=${secret} ${JSON.stringify(headers)}`;
    const { url } = await serveHttp({
      refuseAll: { status: 401, headers: { "www-authenticate": `Bearer realm="${secret}"` }, body },
    });
    return connectToServer("s", { type: "http", url: `${url}?api_key=${secret}`, headers });
  },
  "an event stream that is refused": async () => {
    const { url } = await serveHttp({ transport: "sse", refuseAll: { status: 500, body: secret } });
    return connectToServer("s", { type: "sse", url: `${url}?token=${secret}`, headers });
  },
  "a fetch whose error holds the request": () =>
    connectToServer(
      "s",
      { type: "http", url: `http://localhost/?key=${secret}`, headers },
      {
        fetch: (input, init) => {
          const url = input instanceof Request ? input.url : input.toString();
          const cause = Object.assign(new Error(`cannot send ${secret}`), {
            code: "E_SENT",
            init,
            target: new URL(url),
          });
          return Promise.reject(new AggregateError([cause, new Error(secret)], `cannot fetch ${url}`, { cause }));
        },
      },
    ),
};

test.each(Object.keys(failures))("%s: the error shows no secret, however much of it is printed", async (name) => {
  const error = await failureOf(failures[name]?.() ?? Promise.resolve());
  expect(error).toMatchObject({ name: "ToolgateError", stage: expect.any(String), transport: expect.any(String) });
  expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain(secret);
  expect(JSON.stringify(error)).not.toContain(secret);
});

test("a server that echoes the session and the token into an error page leaks neither", async () => {
  const { url } = await serveLoopback((request, response) => {
    const { authorization, "mcp-session-id": session } = request.headers;
    if (request.body.includes("tools/list")) response.writeHead(500).end(`no ${String(session)}, ${authorization}`);
    else answerMinimal(request, response);
  });
  const connection = await connect({ type: "http", url, auth: { type: "bearer", token: secret } });
  const error = await failureOf(listTools(connection));
  expect(error.message).toContain("no ***, ***");
  expect(inspect(error, { depth: 9 })).not.toMatch(/session-1|sk-very-secret/);
});
