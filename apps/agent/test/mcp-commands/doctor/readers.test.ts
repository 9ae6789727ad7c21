import { expect, test } from "vitest";

import { runDoctor } from "../../support/run-doctor.ts";
import { createScratch } from "../../support/scratch.ts";

test("a file that does not parse is an error with its line", async () => {
  await using scratch = await createScratch();
  const path = await scratch.write("project/.vscode/mcp.json", '{ "servers": {\n  "x": { "command": }\n} }');
  const { of, exitStatus, text } = await runDoctor(scratch);
  expect(of("unusable-file")).toMatchObject([{ level: "error", path, line: 2, fix: `Correct ${path}` }]);
  expect(exitStatus).toBe(1);
  expect(text).toContain("Correct ./.vscode/mcp.json:2:");
});

test("an unset variable is named with the command that sets it and the entry's line", async () => {
  await using scratch = await createScratch();
  const path = await scratch.userServers({
    a: { entry: { command: "node", env: { KEY: "${env:TOOLGATE_UNSET_VARIABLE}" } } },
  });
  const { of, exitStatus, text } = await runDoctor(scratch);
  expect(of("unset-variable")).toMatchObject([
    {
      level: "warning",
      server: "a",
      path,
      line: 3,
      column: 5,
      message: expect.stringContaining("TOOLGATE_UNSET_VARIABLE is not set"),
      fix: `export TOOLGATE_UNSET_VARIABLE=… before Toolgate starts, or write a value in its place in the entry a in ${path}`,
    },
  ]);
  expect(exitStatus).toBe(0);
  expect(text).toContain("in the entry a in ~/.cursor/mcp.json:3:5");
  expect((await runDoctor(scratch, { TOOLGATE_UNSET_VARIABLE: "1" })).of("unset-variable")).toEqual([]);
});

test("a fix holds no command that a file has thought up", async () => {
  await using scratch = await createScratch();
  await scratch.projectServers({ "a;b": { entry: { command: "$(id)" } } });
  await scratch.userServers({ c: { entry: { command: "node", args: ["${env:X;id}"] } } });
  const { findings, of } = await runDoctor(scratch);
  expect(of("needs-approval")).toMatchObject([{ fix: "toolgate mcp trust 'a;b'" }]);
  expect(of("command-missing")).toMatchObject([{ fix: expect.stringContaining("`command -v '$(id)'`") }]);
  expect(of("unset-variable")).toMatchObject([{ fix: expect.stringMatching(/^Set the environment variable "X;id"/) }]);
  expect(JSON.stringify(findings)).not.toContain("export X;id");
});

test("an input without an answer is an error with the variable that answers it", async () => {
  await using scratch = await createScratch();
  await scratch.write("project/.vscode/mcp.json", {
    inputs: [{ id: "api-key", type: "promptString" }],
    servers: { a: { command: "node", env: { KEY: "${input:api-key}" } } },
  });
  expect((await runDoctor(scratch)).of("missing-input")).toMatchObject([
    { level: "error", server: "a", fix: "export TOOLGATE_INPUT_API_KEY=… before Toolgate starts", line: 9 },
  ]);
});

test("a variable that Codex needs is named with the command that sets it", async () => {
  await using scratch = await createScratch();
  await scratch.write(
    "home/.codex/config.toml",
    '[mcp_servers.a]\nurl = "https://x.test/"\nbearer_token_env_var = "MY_TOKEN"\n',
  );
  expect((await runDoctor(scratch)).of("unset-variable")).toMatchObject([
    { level: "error", server: "a", fix: "export MY_TOKEN=… before Toolgate starts" },
  ]);
});

test("an address without a type gets the line to add, where the client asks for one", async () => {
  await using scratch = await createScratch();
  const path = await scratch.projectServers({ a: { entry: { url: "https://x.test/mcp" } } });
  await scratch.userServers({ b: { entry: { url: "https://y.test/mcp" } } });
  expect((await runDoctor(scratch)).of("untyped-url")).toMatchObject([
    {
      level: "warning",
      server: "a",
      path,
      line: 3,
      fix: `Add "type": "http" to the entry a in ${path} ("sse" for an older server)`,
    },
  ]);
});

test("servers under another client's key are found, with the key to write", async () => {
  await using scratch = await createScratch();
  const path = await scratch.write("project/.vscode/mcp.json", { mcpServers: { a: { command: "node" } } });
  const { of, exitStatus } = await runDoctor(scratch);
  expect(of("misplaced-servers")).toMatchObject([
    {
      level: "warning",
      path,
      line: 2,
      column: 3,
      fix: `Rename "mcpServers" to "servers" in ${path}`,
      message: expect.stringContaining("VS Code reads"),
    },
  ]);
  expect(exitStatus).toBe(0);
});

test("a misspelt field is named with the right one", async () => {
  await using scratch = await createScratch();
  const path = await scratch.userServers({
    a: { entry: { cmd: "node" } },
    b: { entry: { command: "node", environment: { A: "1" } } },
  });
  expect((await runDoctor(scratch)).of("misspelt-field")).toMatchObject([
    { server: "a", fix: `Rename "cmd" to "command" in the entry a in ${path}` },
    { server: "b", fix: `Rename "environment" to "env" in the entry b in ${path}` },
  ]);
});

test("an envFile that does not exist is named", async () => {
  await using scratch = await createScratch();
  const path = await scratch.userServers({ a: { entry: { command: "node", envFile: scratch.file("absent.env") } } });
  expect((await runDoctor(scratch)).of("missing-env-file")).toMatchObject([
    {
      level: "warning",
      server: "a",
      fix: `Create the file ${scratch.file("absent.env")}, or correct "envFile" in the entry a in ${path}`,
    },
  ]);
});

test("a transport that is lacking is a hint", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ a: { entry: { type: "ws", url: "wss://x.test/" } } });
  const { of, exitStatus } = await runDoctor(scratch);
  expect(of("unsupported-transport")).toMatchObject([
    { level: "hint", server: "a", message: 'a is not started: Toolgate lacks the transport "ws"', line: 3 },
  ]);
  expect(exitStatus).toBe(0);
});
