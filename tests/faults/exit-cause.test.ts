import { callTool, connectToServer } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { connect, failureOf, scripted } from "../../packages/mcp-client/test/support/scripted.ts";
import { verifies } from "../../tooling/test-support/verifies.mjs";

const options = {
  compileCacheDirectory: false,
  source: { provider: "cursor", providerName: "Cursor", path: "/p/.cursor/mcp.json", level: "project" },
} as const;

test("a server that ends at its start says why: exit code, error output, file and command line", async () => {
  const command = "console.error('no key');process.exit(3)";
  const error = await failureOf(
    connectToServer("keyless", { command: process.execPath, args: ["-e", command] }, options),
  );
  expect(error).toMatchObject({ code: "SERVER_EXITED", server: "keyless", data: { exitCode: 3, stderr: "no key" } });
  for (const part of ['"keyless"', "/p/.cursor/mcp.json", "code 3", "no key", process.execPath]) {
    expect(error.message).toContain(part);
  }
});

test(
  verifies("L60", "a server that dies in the middle of a call ends the call at once with the whole reason"),
  async () => {
    const connection = await connect(scripted(), options);
    const stderr = `${"line\n".repeat(5000)}out of memory\n`;
    const [other, error] = await Promise.all([
      failureOf(callTool(connection, "hang")),
      failureOf(callTool(connection, "die", { code: 7, stderr })),
    ]);
    expect(error).toMatchObject({ code: "SERVER_EXITED", data: { exitCode: 7, signal: null } });
    expect(error.message).toContain("out of memory");
    expect(other).toMatchObject({ code: "SERVER_EXITED" });
    expect(connection.closeReason).toMatchObject({ kind: "exited", exitCode: 7 });
    expect(connection.stderr()).toMatch(/out of memory\n$/);
    // Nobody starts it again, and every later call says the same.
    const later = await failureOf(callTool(connection, "echo", { text: "x" }));
    expect(later).toMatchObject({ code: "SERVER_EXITED", data: { exitCode: 7 } });
  },
);

test(verifies("L60", "a killed server gives the signal"), async () => {
  const connection = await connect(scripted());
  const error = await failureOf(callTool(connection, "die", { signal: "SIGKILL" }));
  expect(error).toMatchObject({ code: "SERVER_EXITED", data: { exitCode: null, signal: "SIGKILL" } });
});

test("a server that closes its output and goes on running is ended", async () => {
  const connection = await connect(scripted({ ignoreEnd: true }));
  const error = await failureOf(callTool(connection, "closeOutput"));
  expect(error).toMatchObject({ code: "SERVER_EXITED" });
  expect(connection.closeReason).toMatchObject({ kind: "failed" });
});
