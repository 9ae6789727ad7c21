import { expect, test } from "vitest";

import { mcpProviders } from "../src/index.ts";
import type { CapabilityProvider, MCPServerItem } from "../src/index.ts";
import { describeProvider } from "../src/testing.ts";
import type { ProviderCase } from "../src/testing.ts";
import { readFixture } from "./support/fixtures.ts";

function find(id: string): CapabilityProvider<MCPServerItem> {
  const provider = mcpProviders.find((candidate) => candidate.id === id);
  if (provider === undefined) throw new Error(`no provider ${id}`);
  return provider;
}

const CASES: Record<string, ProviderCase[]> = {
  toolgate: [
    {
      name: "reads every place of the native configuration",
      home: readFixture("toolgate/home"),
      project: readFixture("toolgate/project"),
      env: { SEARCH_TOKEN: "t0ken" },
      expected: [
        {
          name: "search",
          level: "user",
          config: {
            type: "http",
            url: "https://search.example/mcp",
            auth: { type: "bearer", token: "t0ken" },
            startupTimeout: 5000,
            includeTools: ["search_*"],
            protocol: "auto",
          },
        },
        {
          name: "notes",
          level: "user",
          config: { command: "notes-server", args: ["--port", "4000"], env: { VERBOSE: "true" } },
        },
        { name: "build", level: "project", config: { command: "make", args: ["mcp"], cwd: "tools" } },
        { name: "lint", level: "project", config: { command: "lint-server", enabled: false } },
        { name: "docs", level: "project", config: { command: "docs" } },
      ],
    },
    {
      name: "reads Application Support on macOS after the portable folder",
      home: {
        ".config/toolgate/config.json": '{"mcpServers":{"a":{"command":"portable"}}}',
        "Library/Application Support/toolgate/config.json":
          '{"mcpServers":{"a":{"command":"no"},"b":{"command":"mac"}}}',
      },
      platform: "darwin",
      expected: [
        { name: "a", config: { command: "portable" } },
        { name: "b", config: { command: "mac" } },
      ],
    },
    {
      name: "reads %APPDATA% on Windows, whatever the case of the variable",
      home: {
        "AppData/Roaming/toolgate/config.json": '{"mcpServers":{"a":{"command":"win"}}}',
        ".config/toolgate/config.json": '{"mcpServers":{"b":{"command":"x"}}}',
      },
      env: { AppData: "{home}/AppData/Roaming" },
      platform: "win32",
      expected: [{ name: "a", config: { command: "win" } }],
    },
    {
      name: "follows XDG_CONFIG_HOME",
      home: {
        "xdg/toolgate/config.yaml": "mcpServers: { a: { command: x } }",
        ".config/toolgate/config.json": '{"mcpServers":{"b":{"command":"x"}}}',
      },
      env: { XDG_CONFIG_HOME: "{home}/xdg" },
      expected: [{ name: "a" }],
    },
    {
      name: "reads JSON and YAML from the rc files",
      project: {
        ".toolgaterc": '{ /* json */ "mcpServers": { "a": { "command": "x" } } }',
        ".toolgaterc.json": '{ "mcpServers": { "b": { "command": "x" } } }',
        ".toolgaterc.yaml": "mcpServers:\n  c: { command: x }\n",
        "package.json": '{ "name": "no-key" }',
      },
      expected: [{ name: "a" }, { name: "b" }, { name: "c" }],
    },
  ],
  "claude-code": [
    {
      name: "reads user and local servers and Claude's own toggles",
      home: readFixture("claude-code/home"),
      env: { GITHUB_TOKEN: "ghp_1" },
      expected: [
        {
          name: "github",
          level: "user",
          config: {
            type: "http",
            url: "https://api.githubcopilot.com/mcp/",
            headers: { Authorization: "Bearer ghp_1" },
          },
        },
        {
          name: "filesystem",
          config: {
            type: "stdio",
            command: "npx",
            args: ["-y", "@modelcontextprotocol/server-filesystem", "/tmp"],
            env: {},
          },
        },
        { name: "noisy", config: { command: "noisy-server", args: [], enabled: false } },
        { name: "socket", config: { type: "http", url: "wss://socket.example/mcp", enabled: false } },
        {
          name: "database",
          level: "user",
          config: { command: "db-server", env: { DSN: "${UNSET_DSN}" }, timeout: 45_000 },
        },
      ],
      warnings: [
        'Server "untyped" is left out: "url" without "type"',
        'Server "database": ${UNSET_DSN} in env.DSN stays as it is written',
      ],
    },
    {
      name: "follows CLAUDE_CONFIG_DIR",
      home: {
        "elsewhere/.claude.json": '{"mcpServers":{"a":{"command":"x"}}}',
        ".claude.json": '{"mcpServers":{"b":{"command":"x"}}}',
      },
      env: { CLAUDE_CONFIG_DIR: "{home}/elsewhere" },
      expected: [{ name: "a" }],
    },
    {
      name: "warns of a headers helper",
      home: {
        ".claude.json": '{"mcpServers":{"a":{"type":"http","url":"https://a.example/","headersHelper":"/bin/x"}}}',
      },
      expected: [{ name: "a", config: { type: "http", url: "https://a.example/" } }],
      warnings: ['"headersHelper" is not supported'],
    },
  ],
  codex: [
    {
      name: "reads user and project tables with their own fields",
      home: readFixture("codex/home"),
      project: readFixture("codex/project"),
      env: { DOCS_TOKEN: "d", DOCS_REGION: "eu", FIGMA_OAUTH_TOKEN: "f", FIGMA_TEAM: "red" },
      expected: [
        {
          name: "docs",
          level: "user",
          config: {
            command: "npx",
            args: ["-y", "docs-server", "${HOME}"],
            env: { DOCS_TOKEN: "d", DOCS_REGION: "eu", LOG: "debug" },
            startupTimeout: 2500,
            timeout: 120_000,
            includeTools: ["search", "read"],
            excludeTools: ["read"],
          },
        },
        {
          name: "figma",
          config: {
            type: "http",
            url: "https://mcp.figma.com/mcp",
            headers: { "X-Figma-Region": "us-east-1", "X-Team": "red" },
            auth: { type: "bearer", token: "f" },
          },
        },
        { name: "off", config: { command: "off", enabled: false, startupTimeout: 500 } },
        {
          name: "oauth",
          config: { type: "http", url: "https://oauth.example/mcp", oauth: { clientId: "abc", scope: "read write" } },
        },
        { name: "project-tool", level: "project", config: { command: "./bin/server", cwd: "tools" } },
      ],
      warnings: [
        'Server "mixed" is left out',
        'Server "old" is left out: Codex refuses "bearer_token"',
        'Server "bad name" is left out',
      ],
    },
    {
      name: "follows CODEX_HOME",
      home: { "codex/config.toml": '[mcp_servers.a]\ncommand = "x"\n' },
      env: { CODEX_HOME: "{home}/codex" },
      expected: [{ name: "a" }],
    },
  ],
  "mcp-json": [
    {
      name: "reads .mcp.json in Claude Code's syntax, and mcp.json",
      project: readFixture("mcp-json/project"),
      expected: [
        {
          name: "memory",
          level: "project",
          config: { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] },
        },
        { name: "remote", config: { type: "http", url: "https://remote.example/mcp" } },
        { name: "stream", config: { type: "http", url: "https://stream.example/mcp" } },
        { name: "events", config: { type: "sse", url: "https://events.example/sse", timeout: 1000 } },
        { name: "plain", config: { type: "http", url: "https://plain.example/mcp" } },
      ],
      warnings: [
        'Server "half" is left out',
        'Server "empty" is left out',
        'Server "words" is left out: "args" must be an array',
      ],
    },
    {
      name: "disables what Claude Code's approvals refuse, and enables nothing",
      home: {
        ".claude/settings.json": '{"disabledMcpjsonServers":["a"],"enabledMcpjsonServers":["c"]}',
        ".claude.json": '{"projects":{"{project}":{"disabledMcpServers":["d"],"disabledMcpjsonServers":["e"]}}}',
      },
      project: {
        ".mcp.json":
          '{"mcpServers":{"a":{"command":"x"},"b":{"command":"x"},"c":{"command":"x","enabled":false},"d":{"command":"x"},"e":{"command":"x"}}}',
        ".claude/settings.local.json": '{"disabledMcpjsonServers":["b"]}',
      },
      expected: ["a", "b", "c", "d", "e"].map((name) => ({ name, config: { command: "x", enabled: false } })),
    },
  ],
};

for (const [id, cases] of Object.entries(CASES)) describeProvider(test, () => find(id), cases);

test("every built-in provider stands the contract suite", () => {
  expect(mcpProviders.map(({ id }) => id).toSorted()).toEqual(Object.keys(CASES).toSorted());
});
