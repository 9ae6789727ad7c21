import { describe, expect, test } from "vitest";

import { readPastedServers } from "../src/index.ts";
import type { LoadContext, PastedServers } from "../src/index.ts";

const SECRET = "s3cret-value-0123";
const context: LoadContext = { cwd: "/project", home: "/home", env: { TOKEN: SECRET }, platform: "linux" };

const read = (text: unknown, name?: string): Promise<PastedServers> =>
  readPastedServers(typeof text === "string" ? text : JSON.stringify(text), {
    context,
    ...(name === undefined ? {} : { name }),
  });

const stdio = { command: "npx", args: ["-y", "server"] };

describe("the form of a pasted text shows by its shape", () => {
  test.each<[string, unknown, object]>([
    ["the form that most clients share", { mcpServers: { x: stdio } }, stdio],
    ["the form that most clients share", { x: stdio }, stdio],
    ["the form that most clients share", [{ name: "x", ...stdio }], stdio],
    ["the form that most clients share", '"x": { "command": "npx", "args": ["-y", "server"], },', stdio],
    ["the form that most clients share", '```json\n{ // mine\n"x": { "command": "npx" } }\n```\n', { command: "npx" }],
    [
      "the form that most clients share",
      { mcpServers: { x: { type: "streamable-http", url: "https://x.test/mcp" } } },
      { type: "http", url: "https://x.test/mcp" },
    ],
    [
      "Windsurf",
      { mcpServers: { x: { serverUrl: "https://x.test/mcp" } } },
      { type: "http", url: "https://x.test/mcp" },
    ],
    [
      "Gemini CLI",
      { mcpServers: { x: { httpUrl: "https://x.test/mcp" } } },
      { type: "http", url: "https://x.test/mcp" },
    ],
    ["VS Code", { servers: { x: { type: "stdio", ...stdio } } }, stdio],
    ["VS Code", { mcp: { servers: { x: stdio }, inputs: [] } }, stdio],
    ["Zed", { context_servers: { x: { source: "custom", command: { path: "npx", args: ["-y", "server"] } } } }, stdio],
    ["Amp", { "amp.mcpServers": { x: stdio } }, stdio],
    [
      "opencode",
      { mcp: { x: { type: "local", command: ["npx", "-y", "server"], environment: { KEY: "{env:TOKEN}" } } } },
      { ...stdio, env: { KEY: "${TOKEN}" } },
    ],
    ["opencode", { x: { type: "local", command: ["npx", "-y", "server"] } }, stdio],
    [
      "Codex",
      '[mcp_servers.x]\ncommand = "npx"\nargs = ["-y", "server"]\n\n[mcp_servers.x.env]\nKEY = "1"\n',
      { ...stdio, env: { KEY: "1" } },
    ],
    [
      "Codex",
      '[mcp_servers.x]\nurl = "https://x.test/mcp"\nbearer_token_env_var = "TOKEN"\n',
      { type: "http", url: "https://x.test/mcp", auth: { type: "bearer", token: "${TOKEN}" } },
    ],
    ["Continue", "mcpServers:\n  - name: x\n    command: npx\n    args: [-y, server]\n", stdio],
    ["Goose", "extensions:\n  x:\n    type: stdio\n    cmd: npx\n    args: [-y, server]\n", stdio],
  ])("%s: %j", async (form, text, config) => {
    const pasted = await read(text);
    expect(pasted).toMatchObject({ form, problems: [] });
    expect(pasted.servers.map((server) => ({ name: server.name, config: server.config }))).toEqual([
      { name: "x", config },
    ]);
    expect(JSON.stringify(pasted)).not.toContain(SECRET);
  });
});

test("references stay references, and an input becomes a variable that a person is told of", async () => {
  const pasted = await read({
    inputs: [{ id: "api-key", type: "promptString", password: true }],
    servers: { x: { ...stdio, env: { A: "${input:api-key}", B: "${env:TOKEN}" }, envFile: "/home/x.env" } },
  });
  expect(pasted.servers).toEqual([
    {
      name: "x",
      config: { ...stdio, env: { A: "${TOOLGATE_INPUT_API_KEY}", B: "${TOKEN}" } },
      envFile: "/home/x.env",
      warnings: ["x takes an input: set the environment variable TOOLGATE_INPUT_API_KEY."],
    },
  ]);
});

test("a single entry takes the name that it is given, or has its own", async () => {
  expect((await read(stdio, "mine")).servers).toMatchObject([{ name: "mine", config: stdio }]);
  expect((await read({ name: "own", ...stdio })).servers).toMatchObject([{ name: "own", config: stdio }]);
  await expect(read(stdio)).rejects.toThrow("without a name");
});

test("what cannot be used is named with its reason, and takes nothing else with it", async () => {
  const pasted = await read({
    mcpServers: {
      good: stdio,
      empty: {},
      socket: { type: "ws", url: "wss://x.test" },
      secret: { command: 1, env: { K: SECRET } },
    },
  });
  expect(pasted.servers.map(({ name }) => name)).toEqual(["good"]);
  expect(pasted.problems.map(({ name }) => name)).toEqual(["empty", "socket", "secret"]);
  expect(JSON.stringify(pasted.problems)).not.toContain(SECRET);
});

test.each([
  ["", "nothing to read"],
  ["   ", "nothing to read"],
  [`{ "mcpServers": { "x": ${SECRET}`, "does not parse"],
  ["{}", "holds no MCP servers"],
  ['"just text"', "does not parse"],
  ["just text", "holds no MCP servers"],
  ["[]", "holds no MCP servers"],
  ['{"theme": "dark"}', "holds no MCP servers"],
])("%j is refused, and nothing of it is quoted", async (text, reason) => {
  const refusal = await read(text).then(
    () => "accepted",
    (error: unknown) => String(error),
  );
  expect(refusal).toContain(reason);
  expect(refusal).not.toContain(SECRET);
});
