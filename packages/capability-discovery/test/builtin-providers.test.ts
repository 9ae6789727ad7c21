import { test } from "vitest";

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
  vscode: [
    {
      name: "reads user and project servers with inputs",
      home: readFixture("vscode/home"),
      project: readFixture("vscode/project"),
      env: { TOOLGATE_INPUT_GITHUB_PAT: "ghp_2" },
      expected: [
        {
          name: "playwright",
          level: "user",
          config: { type: "stdio", command: "npx", args: ["-y", "@playwright/mcp@latest"] },
        },
        {
          name: "github",
          level: "project",
          config: {
            type: "http",
            url: "https://api.githubcopilot.com/mcp/",
            headers: { Authorization: "Bearer ghp_2" },
          },
        },
        { name: "regional", level: "project" },
      ],
    },
    {
      name: "finds the user's file on macOS",
      home: { "Library/Application Support/Code/User/mcp.json": '{"servers":{"a":{"command":"x"}}}' },
      platform: "darwin",
      expected: [{ name: "a" }],
    },
    {
      name: "finds the user's file on Windows",
      home: { "AppData/Roaming/Code/User/mcp.json": '{"servers":{"a":{"command":"x"}}}' },
      platform: "win32",
      expected: [{ name: "a" }],
    },
  ],
};

for (const [id, cases] of Object.entries(CASES)) describeProvider(test, () => find(id), cases);
