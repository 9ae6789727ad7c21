import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { createFileProvider } from "../src/index.ts";
import { loadServers, makeFolders, writeFiles } from "./support/temporary-folder.ts";

const ENTRY = { a: { command: "x" } };

describe("servers under a key that the client does not read", () => {
  test.each<[string, string, string, unknown, string, string]>([
    ["VS Code", "project", ".vscode/mcp.json", { mcpServers: ENTRY }, "mcpServers", "servers"],
    ["VS Code", "project", ".vscode/mcp.json", { servers: {}, mcpServers: ENTRY }, "mcpServers", "servers"],
    ["Cursor", "project", ".cursor/mcp.json", { servers: ENTRY }, "servers", "mcpServers"],
    ["Cursor", "home", ".cursor/mcp.json", { mcpservers: ENTRY }, "mcpservers", "mcpServers"],
    ["Cursor", "home", ".cursor/mcp.json", { mcp: { servers: ENTRY } }, "mcp.servers", "mcpServers"],
    ["Cursor", "home", ".cursor/mcp.json", { mcp: { a: { type: "local", command: ["x"] } } }, "mcp", "mcpServers"],
    [".mcp.json", "project", ".mcp.json", { context_servers: ENTRY }, "context_servers", "mcpServers"],
    [".mcp.json", "project", "mcp.json", { mcp_servers: ENTRY }, "mcp_servers", "servers"],
    ["Claude Code", "home", ".claude.json", { "amp.mcpServers": ENTRY }, "amp.mcpServers", "mcpServers"],
    ["Codex", "home", ".codex/config.toml", '[mcpServers.a]\nurl = "https://x.test/"\n', "mcpServers", "mcp_servers"],
    ["Toolgate", "project", ".toolgate/config.yaml", "servers:\n  a: { command: x }\n", "servers", "mcpServers"],
    ["Toolgate", "project", "package.json", { toolgate: { servers: ENTRY } }, "servers", "mcpServers"],
  ])("%s: %s/%s with %j", async (client, place, path, content, found, expected) => {
    const folders = await makeFolders();
    const folder = place === "home" ? folders.home : folders.project;
    await writeFiles(folder, { [path]: content });
    const result = await loadServers(folders);
    expect(result.items).toEqual([]);
    expect(result.warnings).toEqual([
      expect.objectContaining({
        path: join(folder, path),
        message: `The file has servers under "${found}", but ${client} reads "${expected}"; they are not used.`,
        kind: "misplaced-servers",
        subject: found,
        expected,
      }),
    ]);
  });

  test.each<[string, string, unknown]>([
    ["a section of the same name with settings", ".cursor/mcp.json", { mcp: { allowed: ["a"], serverCommand: "x" } }],
    ["a section of settings in Toolgate's own file", ".toolgate/config.json", { mcp: { reload: "watch" } }],
    ["a file that has both", ".vscode/mcp.json", { servers: { b: { command: "y" } }, mcpServers: ENTRY }],
    ["a list of something else", ".cursor/mcp.json", { servers: [{ url: "https://x.test/" }] }],
    ["a map of something else", ".cursor/mcp.json", { servers: { eu: { region: "eu-1" }, us: { region: "us-1" } } }],
    ["an empty map", ".cursor/mcp.json", { servers: {} }],
    ["the keys of a manifest that are not Toolgate's", "package.json", { mcpServers: ENTRY, toolgate: {} }],
  ])("%s is no mistake", async (_reason, path, content) => {
    const folders = await makeFolders();
    await writeFiles(folders.project, { [path]: content });
    expect((await loadServers(folders)).warnings).toEqual([]);
  });

  test("the editor's own servers in settings that an extension reads too are no mistake", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.project, { ".vscode/settings.json": { mcp: { servers: ENTRY } } });
    const provider = createFileProvider({
      id: "house",
      displayName: "House",
      priority: 1,
      servers: "house.mcpServers",
      files: { project: [".vscode/settings.json"] },
    });
    expect((await loadServers(folders, { providers: [provider] })).warnings).toEqual([]);
  });
});

describe("misspelt fields", () => {
  test.each<[object, string, { kind: string; subject?: string; expected?: string }]>([
    [{ cmd: "x" }, '"cmd" is not read, the field is called "command"', { kind: "misspelt-field", subject: "cmd" }],
    [{ type: "http", URL: "https://x.test/" }, '"URL" is not read', { kind: "misspelt-field", expected: "url" }],
    [{ command: "x", arguments: ["y"] }, '"arguments" is not read', { kind: "misspelt-field", expected: "args" }],
    [{ command: "x", environment: { A: "1" } }, '"environment" is not read', { kind: "misspelt-field" }],
    [{ type: "http", url: "https://x.test/", header: {} }, '"header" is not read', { kind: "misspelt-field" }],
    [{ command: 5 }, "left out", { kind: "invalid-entry" }],
    [{ url: "https://x.test/" }, 'add "type": "http"', { kind: "untyped-url" }],
  ])("%j is named", async (entry, part, details) => {
    const folders = await makeFolders();
    await writeFiles(folders.project, { ".mcp.json": { mcpServers: { a: entry } } });
    const { warnings } = await loadServers(folders);
    expect(warnings).toMatchObject([{ server: "a", line: 1, message: expect.stringContaining(part), ...details }]);
  });

  test("further fields are nobody's business", async () => {
    const folders = await makeFolders();
    const entries = {
      a: { command: "x", args: [], env: {}, arguments: ["y"], endpoint: "https://x.test/" },
      b: { type: "http", url: "https://x.test/", environment: {}, cmd: "x" },
    };
    await writeFiles(folders.project, { ".mcp.json": { mcpServers: entries } });
    expect((await loadServers(folders)).warnings).toEqual([]);
  });
});
