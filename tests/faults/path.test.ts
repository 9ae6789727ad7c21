import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { connectToServer, findCommand } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { failureOf, scripted, temporaryDirectory } from "../../packages/mcp-client/test/support/scripted.ts";

const source = { provider: "native", providerName: "Toolgate", path: "/somewhere/mcp.json", level: "user" } as const;

test("a command that PATH does not lead to is named together with the PATH that was searched", async () => {
  const directory = await temporaryDirectory();
  const error = await failureOf(
    connectToServer("gui", { command: "npx-missing", args: ["--token=abc"] }, { env: { PATH: directory }, source }),
  );
  expect(error.code).toBe("SPAWN_FAILED");
  for (const part of ['"gui"', "/somewhere/mcp.json", "npx-missing", "ENOENT", directory]) {
    expect(error.message).toContain(part);
  }
  expect(error.message).not.toContain("abc");
});

test("a command line that is too long for the system is not quoted whole", async () => {
  const args = ["-e", `/* ${"x".repeat(3_000_000)} */`];
  const error = await failureOf(connectToServer("long", { command: process.execPath, args }));
  expect(error).toMatchObject({ code: "SPAWN_FAILED", stage: "spawn", transport: "stdio" });
  expect(error.message).toContain("E2BIG");
  expect(error.message.length).toBeLessThan(2000);
});

test("a missing working directory is not taken for a missing command", async () => {
  const error = await failureOf(connectToServer("moved", scripted({}, { cwd: "/does/not/exist" })));
  expect(error).toMatchObject({ code: "SPAWN_FAILED" });
  expect(error.message).toContain("/does/not/exist does not exist");
});

test("findCommand finds what the system would run, and nothing else", async () => {
  const directory = await temporaryDirectory();
  const tool = join(directory, "tool");
  await writeFile(tool, "#!/bin/sh\n");
  const options = { env: { PATH: `/nowhere:${directory}` }, platform: "linux", cwd: directory } as const;
  expect(findCommand("tool", options)).toBeUndefined();
  await chmod(tool, 0o755);
  expect(findCommand("tool", options)).toBe(tool);
  expect(findCommand("./tool", options)).toBe(tool);
  expect(findCommand("other", options)).toBeUndefined();
});
