import { connectToServer, listTools } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { callForText, connect, failureOf, scripted } from "../../packages/mcp-client/test/support/scripted.ts";

test("what else a server prints does not end the connection, and is reported without secrets", async () => {
  const lines: unknown[] = [];
  const logger = { debug: (_: string, data?: unknown) => void lines.push(data), info() {}, warn() {}, error() {} };
  const connection = await connect(
    scripted(
      {
        rawOutput: ["hello hidden-value\n", "42\n", "null\n", "\r\n", '{"half":\n', "Loading… "],
        lineEnd: "\r\n",
        pages: [{ tools: [] }],
      },
      { env: { TOKEN: "hidden-value" } },
    ),
    { logger },
  );
  await expect(listTools(connection)).resolves.toEqual({ tools: [], invalid: [] });
  await expect(callForText(connection, "echo", { text: "größe 工具" })).resolves.toBe("größe 工具");
  const logged = JSON.stringify(lines);
  for (const part of ["hello ***", "42", "Loading"]) expect(logged).toContain(part);
  expect(logged).not.toContain("hidden-value");
});

test("a server that logs where messages belong and says nothing else is told so, without secrets", async () => {
  const error = await failureOf(
    connectToServer(
      "chatty",
      scripted(
        { silent: true, rawOutput: ["Welcome to hidden-value!\n", "Listening.\n"] },
        { startupTimeout: 2000, env: { TOKEN: "hidden-value" } },
      ),
      { compileCacheDirectory: false },
    ),
  );
  expect(error).toMatchObject({ code: "CONNECT_TIMEOUT" });
  expect(error.message).toContain('wrote to its standard output what is no message: "Welcome to ***!"');
});

test("a message behind a half line is found, each time", async () => {
  const connection = await connect(scripted({ glue: "[info] {a} " }));
  await expect(callForText(connection, "echo", { text: "found" })).resolves.toBe("found");
});
