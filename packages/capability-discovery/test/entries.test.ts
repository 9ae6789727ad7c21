import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { mcpCapability } from "../src/index.ts";
import { readCorpusFolder } from "./support/corpus.ts";
import {
  createBuiltinRegistry,
  findServer,
  loadServers,
  makeFolders,
  messagesOf,
  writeFiles,
} from "./support/temporary-folder.ts";

function local(command: string): unknown {
  return { mcpServers: { a: { command } } };
}

describe("entries", () => {
  test(verifies("L11", "every item says which provider read it, from which file, at which level"), async () => {
    const folders = await makeFolders();
    await writeFiles(folders.home, { ".cursor/mcp.json": { mcpServers: { a: { command: "a", args: ["1"] } } } });
    await writeFiles(folders.project, { ".vscode/mcp.json": { servers: { b: { command: "b" } } } });
    const result = await loadServers(folders);
    expect(findServer(result, "a")).toEqual({
      name: "a",
      config: { command: "a", args: ["1"] },
      definition: { command: "a", args: ["1"] },
      _source: {
        provider: "cursor",
        providerName: "Cursor",
        path: join(folders.home, ".cursor/mcp.json"),
        level: "user",
      },
    });
    expect(findServer(result, "b")).toEqual({
      name: "b",
      config: { command: "b" },
      definition: { command: "b" },
      projectDirectory: folders.project,
      _source: {
        provider: "vscode",
        providerName: "VS Code",
        path: join(folders.project, ".vscode/mcp.json"),
        level: "project",
      },
    });
  });

  test(verifies("L12", "without the project level the user's entry of the same name is used"), async () => {
    const folders = await makeFolders();
    await writeFiles(folders.home, { ".cursor/mcp.json": { mcpServers: { a: { command: "user" } } } });
    await writeFiles(folders.project, { ".mcp.json": { mcpServers: { a: { command: "project" } } } });
    expect(findServer(await loadServers(folders), "a").config).toEqual({ command: "project" });
    const result = await loadServers(folders, { accept: ({ _source }) => _source.level !== "project" });
    expect(findServer(result, "a").config).toEqual({ command: "user" });
    expect(result.shadowed).toEqual([]);
  });

  test("Claude Code's local entries rank above the project's and need no project level", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.home, {
      ".claude.json": { mcpServers: { a: { command: "user" } }, projects: { [folders.project]: local("local") } },
    });
    await writeFiles(folders.project, { ".toolgate/mcp.json": local("project"), "sub/file": "" });
    for (const cwd of [folders.project, join(folders.project, "sub")]) {
      // oxlint-disable-next-line no-await-in-loop -- two small loads
      const result = await loadServers(folders, { cwd });
      expect(findServer(result, "a")).toMatchObject({
        config: { command: "local" },
        scope: "local",
        _source: { level: "user", origin: `projects[${JSON.stringify(folders.project)}]` },
      });
      expect(result.shadowed.map(({ config }) => config)).toEqual([{ command: "project" }, { command: "user" }]);
    }
  });

  test("an unset variable affects its own server only and is named without any value", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.home, {
      ".claude.json": {
        mcpServers: {
          a: { command: "x", env: { KEY: "${NOT_SET}", OTHER: "${SECRET}" } },
          b: { command: "y", env: { KEY: "${SECRET}" } },
        },
      },
    });
    const result = await loadServers(folders, { env: { SECRET: "hunter22" } });
    expect(findServer(result, "a").config).toEqual({ command: "x", env: { KEY: "${NOT_SET}", OTHER: "hunter22" } });
    expect(findServer(result, "b").config).toEqual({ command: "y", env: { KEY: "hunter22" } });
    expect(result.warnings).toEqual([
      {
        path: join(folders.home, ".claude.json"),
        provider: "claude-code",
        server: "a",
        message: 'Server "a": ${NOT_SET} in env.KEY stays as it is written, because NOT_SET is not set',
        kind: "unset-variable",
        subject: "NOT_SET",
        line: 1,
        column: 16,
      },
    ]);
    expect(JSON.stringify(result.warnings)).not.toContain("hunter22");
  });

  test("an address that is none after expansion is that server's problem", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.home, {
      ".claude.json": { mcpServers: { a: { type: "http", url: "${BASE}/mcp" }, b: { command: "y" } } },
    });
    const result = await loadServers(folders);
    expect(findServer(result, "a").problem).toMatchObject({ code: "CONFIG_INVALID", server: "a" });
    expect(findServer(result, "a").problem?.message).toContain(join(folders.home, ".claude.json"));
    expect(findServer(result, "b").problem).toBeUndefined();
    expect(messagesOf(result)).toHaveLength(1);
  });

  test("an input without an answer is that server's problem, which says where to set it", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.project, readCorpusFolder("vscode/levels").project);
    const result = await loadServers(folders);
    const { problem } = findServer(result, "github");
    expect(problem).toMatchObject({ code: "SUBSTITUTION_FAILED", server: "github" });
    expect(problem?.message).toContain("TOOLGATE_INPUT_GITHUB_PAT");
    expect(problem?.message).toContain("GitHub token");
    expect(problem?.message).toContain(join(folders.project, ".vscode/mcp.json"));
    expect(findServer(result, "regional")).toMatchObject({
      config: { command: `${folders.project}/bin/eu`, cwd: folders.project, env: { PORT: "8080", PLAIN: "${HOME}" } },
    });
    expect(findServer(result, "regional").problem).toBeUndefined();
  });

  test.each([{}, { TOKEN: "" }])("Codex's bearer variable is that server's problem with %j", async (env) => {
    const folders = await makeFolders();
    const text =
      '[mcp_servers.a]\nurl = "https://a.example/"\nbearer_token_env_var = "TOKEN"\n[mcp_servers.b]\ncommand = "b"\n';
    await writeFiles(folders.home, { ".codex/config.toml": text });
    const result = await loadServers(folders, { env });
    expect(findServer(result, "a").problem?.message).toContain("the environment variable TOKEN");
    expect(findServer(result, "b").problem).toBeUndefined();
  });

  test("the folder of the workspace is the one that holds the client's folder, and envFile is read from there", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.project, { ...readCorpusFolder("cursor/levels").project, "deep/er/file": "" });
    const result = await loadServers(folders, { cwd: join(folders.project, "deep/er") });
    expect(findServer(result, "local-tools").config).toEqual({
      command: "node",
      args: [`${folders.project}/server.js`, folders.home],
      env: { TOKEN: "from file", MODE: "dev" },
    });
  });

  test("an envFile that is absent is a warning and the server stays", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.project, {
      ".vscode/mcp.json": { servers: { a: { command: "x", envFile: "${workspaceFolder}/.env" } } },
    });
    const result = await loadServers(folders);
    expect(findServer(result, "a").config).toEqual({ command: "x" });
    expect(messagesOf(result)).toEqual([`Server "a": its envFile ${folders.project}/.env does not exist`]);
  });

  test("a transport that Toolgate lacks is listed, disabled, and not broken", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.home, readCorpusFolder("claude-code/levels").home);
    const item = findServer(await loadServers(folders), "socket");
    expect(item).toMatchObject({ unsupported: 'the transport "ws"', config: { enabled: false } });
    expect(item.problem).toBeUndefined();
  });

  test("the secret of a refused entry is not repeated", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.home, readCorpusFolder("codex/levels").home);
    expect(JSON.stringify((await loadServers(folders)).warnings)).not.toContain("do-not-show");
  });

  test("disabled and enabled are two ways to say one thing", async () => {
    const folders = await makeFolders();
    const mcpServers = {
      a: { command: "x", disabled: true },
      b: { command: "x", enabled: false },
      c: { command: "x", enabled: true },
      d: { command: "x", disabled: false },
      e: { command: "x", disabled: "yes" },
    };
    await writeFiles(folders.home, { ".cursor/mcp.json": { mcpServers } });
    const result = await loadServers(folders);
    expect(Object.fromEntries(result.items.map(({ name, config }) => [name, config.enabled]))).toEqual({
      a: false,
      b: false,
      c: true,
      d: undefined,
    });
    expect(messagesOf(result)).toHaveLength(1);
  });

  test("several include lists keep what is in all, several exclude lists drop what is in any", async () => {
    const folders = await makeFolders();
    const a = {
      command: "x",
      includeTools: ["p", "q"],
      enabled_tools: ["q", "r"],
      excludeTools: ["s"],
      disabledTools: ["t"],
    };
    await writeFiles(folders.home, { ".cursor/mcp.json": { mcpServers: { a } } });
    expect(findServer(await loadServers(folders), "a").config).toEqual({
      command: "x",
      includeTools: ["q"],
      excludeTools: ["s", "t"],
    });
  });

  test("the same endpoint of two clients under two names is used once", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.home, {
      ".cursor/mcp.json": { mcpServers: { linear: { url: "https://mcp.linear.app/mcp" } } },
    });
    await writeFiles(folders.home, {
      ".codex/config.toml": '[mcp_servers.tickets]\nurl = "https://mcp.linear.app/mcp"\n',
    });
    const result = await loadServers(folders);
    expect(result.items.map(({ name }) => name)).toEqual(["tickets"]);
    expect(result.shadowed).toMatchObject([{ name: "linear", note: 'same endpoint as "tickets"' }]);
  });
});

describe("sources", () => {
  test("list every built-in provider with the files it looks at", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.project, { ".cursor/mcp.json": {} });
    const context = { cwd: folders.project, home: folders.home, env: {}, platform: "linux" } as const;
    const sources = await createBuiltinRegistry().describeSources(mcpCapability, context);
    expect(sources.map(({ id, priority }) => `${id} ${priority}`)).toEqual([
      "toolgate 100",
      "claude-code 80",
      "codex 70",
      "gemini 60",
      "opencode 55",
      "cursor 50",
      "windsurf 50",
      "amp 45",
      "goose 45",
      "cline 40",
      "roo 40",
      "zed 40",
      "continue 35",
      "copilot-cli 35",
      "junie 35",
      "kiro 35",
      "copilot-jetbrains 32",
      "qwen 30",
      "antigravity 28",
      "devin 28",
      "factory 28",
      "grok 28",
      "kilo 28",
      "kimi 28",
      "llxprt 28",
      "mcporter 28",
      "omp 28",
      "pi 28",
      "tabnine 28",
      "claude-desktop 25",
      "vscode 20",
      "mcp-json 5",
    ]);
    expect(sources.find(({ id }) => id === "cursor")).toEqual({
      id: "cursor",
      displayName: "Cursor",
      priority: 50,
      files: [
        { path: join(folders.home, ".cursor/mcp.json"), level: "user", exists: false },
        { path: join(folders.project, ".cursor/mcp.json"), level: "project", exists: true },
      ],
    });
  });

  test.each([
    [
      "linux",
      "/home/me",
      {},
      [
        "/home/me/.config/Code/User/mcp.json",
        "/home/me/.claude.json",
        "/etc/claude-code/managed-mcp.json",
        "/home/me/.config/toolgate/config.json",
      ],
    ],
    [
      "darwin",
      "/Users/me",
      {},
      [
        "/Users/me/Library/Application Support/Code/User/mcp.json",
        "/Users/me/.claude.json",
        "/Library/Application Support/ClaudeCode/managed-mcp.json",
        "/Users/me/Library/Application Support/toolgate/config.yaml",
      ],
    ],
    [
      "win32",
      "C:\\Users\\me",
      { APPDATA: "D:\\Roaming" },
      [
        "D:\\Roaming\\Code\\User\\mcp.json",
        "C:\\Users\\me\\.claude.json",
        "C:\\Users\\me\\.codex\\config.toml",
        "C:\\Program Files\\ClaudeCode\\managed-mcp.json",
        "D:\\Roaming\\toolgate\\config.jsonc",
        "C:\\work\\.vscode\\mcp.json",
      ],
    ],
  ] as const)("are where %s has them", async (platform, home, env, expected) => {
    const cwd = platform === "win32" ? "C:\\work" : "/work-that-does-not-exist";
    const sources = await createBuiltinRegistry().describeSources(mcpCapability, { cwd, home, env, platform });
    const paths = sources.flatMap(({ files }) => files.map(({ path }) => path));
    expect(paths).toEqual(expect.arrayContaining([...expected]));
  });
});
