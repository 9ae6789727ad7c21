import { inspect } from "node:util";

import { connectToServer, listTools } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { answerMinimal, serveLoopback } from "../../packages/mcp-client/test/support/loopback.ts";
import { callForText, connect, failureOf, scripted } from "../../packages/mcp-client/test/support/scripted.ts";

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
  const { url, seen } = await serveLoopback(answerMinimal);
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
