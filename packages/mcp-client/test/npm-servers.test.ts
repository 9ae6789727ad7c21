import { expect, test } from "vitest";

import { verifies } from "../../../tooling/test-support/verifies.mjs";
import {
  callTool,
  complete,
  getPrompt,
  listPrompts,
  listResources,
  listResourceTemplates,
  listTools,
  ping,
  readResource,
  setLoggingLevel,
  whenBootIdle,
} from "../src/index.ts";
import { npmServer, startEverything } from "./support/npm-servers.ts";
import { isRunning } from "./support/processes.ts";
import { connect, temporaryDirectory } from "./support/scripted.ts";

test(verifies("L24", "server-everything: everything that a connection offers works over stdio"), async () => {
  const connection = await connect(npmServer("server-everything", "stdio"));
  expect(connection).toMatchObject({ transport: "stdio", era: "legacy", protocolVersion: "2025-11-25" });
  expect(connection.serverInfo.name).not.toBe("");
  expect(connection.instructions).toContain("Everything");
  expect(connection.durations.initialize).toBeGreaterThan(0);
  const { tools, invalid } = await listTools(connection);
  expect(tools.map(({ name }) => name)).toContain("echo");
  expect(invalid).toEqual([]);
  await expect(callTool(connection, "echo", { message: "hello" })).resolves.toEqual({
    content: [{ type: "text", text: "Echo: hello" }],
    isError: false,
  });
  await expect(callTool(connection, "get-sum", { a: "wrong" })).resolves.toMatchObject({ isError: true });
  const resources = await listResources(connection);
  const { contents } = await readResource(connection, resources[0]?.uri ?? "");
  expect(contents).toHaveLength(1);
  expect((await listResourceTemplates(connection)).length).toBeGreaterThan(0);
  const prompts = await listPrompts(connection);
  const { messages } = await getPrompt(
    connection,
    prompts.find((prompt) => prompt.arguments === undefined)?.name ?? "",
  );
  expect(messages.length).toBeGreaterThan(0);
  const completion = {
    ref: { type: "ref/prompt", name: "completable-prompt" },
    argument: { name: "department", value: "" },
  } as const;
  expect((await complete(connection, completion)).values.length).toBeGreaterThan(0);
  await setLoggingLevel(connection, "error");
  await ping(connection);
  await whenBootIdle(connection.pid ?? 0);
  await connection.close();
  expect(isRunning(connection.pid ?? 0)).toBe(false);
});

test.each([
  ["server-memory", 9],
  ["server-sequential-thinking", 1],
])("%s lists its tools over stdio", async (name, count) => {
  const env = { MEMORY_FILE_PATH: `${await temporaryDirectory()}/memory.json` };
  const { tools, invalid } = await listTools(await connect({ ...npmServer(name), env }));
  expect(tools).toHaveLength(count);
  expect(invalid).toEqual([]);
});

test("server-filesystem asks for the host's roots and works in them", async () => {
  const directory = await temporaryDirectory();
  const connection = await connect(npmServer("server-filesystem"), {
    roots: [{ uri: `file://${directory}`, name: "work" }],
  });
  const { tools } = await listTools(connection);
  expect(tools).toHaveLength(14);
  // It asks for the roots after the handshake, and says nothing when it has them.
  await expect
    .poll(async () => JSON.stringify(await callTool(connection, "list_allowed_directories")), { timeout: 10_000 })
    .toContain(directory);
});

test.each([
  ["streamableHttp", "http", "mcp"],
  ["sse", "sse", "sse"],
] as const)(
  verifies("L24", "server-everything over %s: connect, list, call with progress, close"),
  async (mode, type, path) => {
    const { port } = await startEverything(mode);
    const connection = await connect({ type, url: `http://127.0.0.1:${port}/${path}` });
    expect(connection).toMatchObject({ transport: type, protocolVersion: "2025-11-25", durations: { spawn: 0 } });
    expect(connection.pid).toBeUndefined();
    expect((await listTools(connection)).tools.length).toBeGreaterThan(10);
    const seen: number[] = [];
    await callTool(
      connection,
      "trigger-long-running-operation",
      { duration: 0.4, steps: 4 },
      { onProgress: ({ progress }) => seen.push(progress) },
    );
    expect(seen.slice(0, 3)).toEqual([1, 2, 3]);
    await connection.close();
    await expect(connection.closed).resolves.toMatchObject({ kind: "closed" });
  },
);
