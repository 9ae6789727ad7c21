import { callTool, connectToServer } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { isRunning } from "../../packages/mcp-client/test/support/processes.ts";
import { callForText, connect, failureOf, scripted } from "../../packages/mcp-client/test/support/scripted.ts";
import { verifies } from "../../tooling/test-support/verifies.mjs";

test("progress keeps a call alive beyond its timeout, and is handed on", async () => {
  const connection = await connect(scripted({}, { timeout: 1000, startupTimeout: 30_000 }));
  const seen: number[] = [];
  const args = { steps: 8, every: 200 };
  const { content } = await callTool(connection, "progress", args, {
    onProgress: ({ progress }) => seen.push(progress),
  });
  expect(content).toEqual([{ type: "text", text: "done" }]);
  expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  // It works for callers that do not listen, too.
  await expect(callTool(connection, "progress", args)).resolves.toMatchObject({ isError: false });
});

test("a call without an answer ends, and the server is told", async () => {
  const connection = await connect(scripted());
  const error = await failureOf(callTool(connection, "hang", {}, { timeout: 50 }));
  expect(error).toMatchObject({ code: "CALL_TIMEOUT", server: "fixture" });
  expect(error.message).toContain("50 ms");
  expect(await callForText(connection, "received")).toContain("notifications/cancelled");
});

test("progress for ever does not keep a call alive for ever, and the server is told", async () => {
  const connection = await connect(scripted());
  const error = await failureOf(
    callTool(connection, "progress", { steps: 1e9, every: 10 }, { timeout: 5000, maxTotalTimeout: 100 }),
  );
  expect(error).toMatchObject({ code: "CALL_TIMEOUT" });
  expect(error.message).toContain("100 ms");
  expect(await callForText(connection, "received")).toContain("notifications/cancelled");
});

test("a server's own error with the code of a timeout is the server's error", async () => {
  const connection = await connect(scripted());
  const error = await failureOf(callTool(connection, "error", { code: -32001, message: "upstream was slow" }));
  expect(error).toMatchObject({ code: "SERVER_ERROR", data: { code: -32001, message: "upstream was slow" } });
});

test(verifies("L24", "a silent server is given up after its startup timeout, and its process is gone"), async () => {
  let pid = 0;
  const error = await failureOf(
    connectToServer(
      "silent",
      scripted({ silent: true, stderr: "waiting for a licence\n" }, { startupTimeout: 1500, timeout: 60_000 }),
      {
        compileCacheDirectory: false,
        onSpawn: (started) => (pid = started),
      },
    ),
  );
  expect(error).toMatchObject({ code: "CONNECT_TIMEOUT", server: "silent" });
  expect(error.message).toContain("1500 ms");
  expect(error.message).toContain("waiting for a licence");
  expect(isRunning(pid)).toBe(false);
});
