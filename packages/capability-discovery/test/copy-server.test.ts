import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { sourceOf } from "../src/capability.ts";
import { copyServer, createFileProvider, findDeclaredPlace, findWriteTarget, mcpProviders } from "../src/index.ts";
import type { CopyServerOptions, LoadContext } from "../src/index.ts";
import { findServer, loadServers, makeFolders, writeFiles } from "./support/temporary-folder.ts";
import type { TestFolders } from "./support/temporary-folder.ts";

const SECRET = "s3cret-value-0123";
const ENV = { TOKEN: SECRET };

function contextOf({ project, home }: TestFolders, change: Partial<LoadContext> = {}): LoadContext {
  return { cwd: project, home, env: ENV, platform: "linux", ...change };
}

// A client like opencode, which writes one list and refers to variables in its own way.
const braces = createFileProvider({
  id: "braces",
  displayName: "Braces",
  priority: 1,
  files: { user: ({ home }) => [join(home, "braces.jsonc")] },
  servers: "mcp",
  references: ["{env:NAME}", "{file:PATH}"],
  entry: { fields: { env: "environment" } },
  writing: {
    transports: { stdio: "local", http: "remote" },
    fields: { env: "environment" },
    commandList: true,
    flag: "enabled",
    reference: "{env:NAME}",
  },
});
const providers = [...mcpProviders, braces];

/** Copies the server "x", which is read as everything else is. */
async function copy(
  folders: TestFolders,
  options: Pick<CopyServerOptions, "to"> & Partial<CopyServerOptions>,
): Promise<{ text: string; warnings: string[]; path: string }> {
  const loaded = await loadServers(folders, { env: ENV, providers });
  const source = sourceOf(findServer(loaded, "x"));
  const result = await copyServer("x", source, { level: "user", context: contextOf(folders), providers, ...options });
  const text = await readFile(result.path, "utf8");
  expect(text).not.toContain(SECRET);
  return { text, path: result.path, warnings: result.warnings.map(({ message }) => message) };
}

describe("copying a server", () => {
  test("translates references, and writes no value of the environment", async () => {
    const folders = await makeFolders();
    const entry = {
      command: "node",
      args: ["--key=${env:TOKEN}"],
      env: { KEY: "${env:TOKEN}", OTHER: "${env:UNSET}" },
    };
    await writeFiles(folders.home, { ".cursor/mcp.json": { mcpServers: { x: entry } } });
    const claude = await copy(folders, { to: "claude-code" });
    expect(claude.path).toBe(join(folders.home, ".claude.json"));
    expect(JSON.parse(claude.text)).toEqual({
      mcpServers: {
        x: { type: "stdio", command: "node", args: ["--key=${TOKEN}"], env: { KEY: "${TOKEN}", OTHER: "${UNSET}" } },
      },
    });
    expect((await stat(claude.path)).mode & 0o777).toBe(0o600);
    expect(JSON.parse((await copy(folders, { to: "braces" })).text)).toEqual({
      mcp: {
        x: {
          type: "local",
          command: ["node", "--key={env:TOKEN}"],
          environment: { KEY: "{env:TOKEN}", OTHER: "{env:UNSET}" },
        },
      },
    });
  });

  test("turns what Codex names in fields of its own into references", async () => {
    const folders = await makeFolders();
    const toml = `[mcp_servers.x]\nurl = "https://x.test/mcp"\nbearer_token_env_var = "TOKEN"\nenv_http_headers = { "X-Key" = "KEY" }\n`;
    await writeFiles(folders.home, { ".codex/config.toml": toml });
    expect(JSON.parse((await copy(folders, { to: "cursor" })).text)).toEqual({
      mcpServers: {
        x: {
          url: "https://x.test/mcp",
          headers: { "X-Key": "${env:KEY}", Authorization: "Bearer ${env:TOKEN}" },
        },
      },
    });
    await writeFiles(folders.home, {
      ".codex/config.toml": '[mcp_servers.x]\ncommand = "c"\nenv_vars = ["TOKEN", { name = "B" }]\n',
    });
    const { text } = await copy(folders, { to: "vscode", level: "project" });
    expect(JSON.parse(text)).toEqual({
      servers: { x: { type: "stdio", command: "c", env: { TOKEN: "${env:TOKEN}", B: "${env:B}" } } },
    });
  });

  test("keeps a default where the client has defaults, and is refused elsewhere", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.project, {
      ".mcp.json": { mcpServers: { x: { command: "c", args: ["${A:-${TOKEN}}"] } } },
    });
    expect(JSON.parse((await copy(folders, { to: "toolgate" })).text)).toEqual({
      mcpServers: { x: { command: "c", args: ["${A:-${TOKEN}}"] } },
    });
    await expect(copy(folders, { to: "cursor" })).rejects.toThrow(
      "args[0] has a default for the environment variable A, and Cursor knows no defaults",
    );
  });

  test("says every reason at once, changes nothing then, and prints no value", async () => {
    const folders = await makeFolders();
    const x = { type: "sse", url: "https://x.test/", headers: { Key: SECRET }, timeout: 5, includeTools: ["a"] };
    await writeFiles(folders.home, { ".config/toolgate/config.json": { mcpServers: { x } } });
    const error = await copy(folders, { to: "cursor" }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "CONFIG_INVALID", server: "x" });
    expect((error as Error).message).toBe(
      [
        'Server "x" cannot be written as Cursor writes servers:',
        "- Cursor lacks the transport sse",
        '- Cursor has no field for "timeout"',
        '- Cursor has no field for "includeTools"',
        "Nothing was written.",
      ].join("\n"),
    );
    await expect(stat(join(folders.home, ".cursor"))).rejects.toThrow("ENOENT");
  });

  test("refuses what another client would not understand", async () => {
    const folders = await makeFolders();
    const x = { command: "${workspaceFolder}/c", args: ["${input:key}"], envFile: "${workspaceFolder}/.env" };
    await writeFiles(folders.project, { ".cursor/mcp.json": { mcpServers: { x } } });
    expect(JSON.parse((await copy(folders, { to: "vscode" })).text)).toEqual({
      servers: { x: { type: "stdio", ...x } },
    });
    await expect(copy(folders, { to: "toolgate" })).rejects.toThrow(
      [
        "- command refers to ${workspaceFolder}, which Toolgate does not know",
        "- args[0] refers to ${input:key}, which Toolgate does not know",
        "- envFile refers to ${workspaceFolder}, which Toolgate does not know",
      ].join("\n"),
    );
  });

  test("refuses commands of Toolgate's own file elsewhere", async () => {
    const folders = await makeFolders();
    const x = { command: "c", env: { KEY: "!pass show key" } };
    await writeFiles(folders.home, { ".config/toolgate/config.json": { mcpServers: { x } } });
    await expect(copy(folders, { to: "cursor" })).rejects.toThrow("env.KEY is a command, which only Toolgate runs");
    expect(JSON.parse((await copy(folders, { to: "toolgate", as: "y" })).text)).toEqual({ mcpServers: { x, y: x } });
  });

  test("keeps a server that is switched off so, or is refused", async () => {
    const folders = await makeFolders();
    const x = { command: "c", disabled: true };
    await writeFiles(folders.home, { ".cursor/mcp.json": { mcpServers: { x } } });
    expect(JSON.parse((await copy(folders, { to: "toolgate" })).text)).toEqual({
      mcpServers: { x: { command: "c", enabled: false } },
    });
    await expect(copy(folders, { to: "claude-code" })).rejects.toThrow(
      "it is switched off, and Claude Code has no field for that",
    );
  });

  test("takes the name that it is given, and replaces only when told to", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.home, {
      ".cursor/mcp.json": { mcpServers: { x: { command: "new" } } },
      ".claude.json": { mcpServers: { y: { command: "old" } }, numStartups: 3 },
    });
    await expect(copy(folders, { to: "claude-code", as: "y" })).rejects.toThrow("is in");
    const { text } = await copy(folders, { to: "claude-code", as: "y", replace: true });
    expect(JSON.parse(text)).toEqual({ mcpServers: { y: { type: "stdio", command: "new" } }, numStartups: 3 });
  });

  test("says what of the original means nothing", async () => {
    const folders = await makeFolders();
    const x = { type: "http", url: "https://x.test/", headersHelper: "/bin/helper" };
    await writeFiles(folders.project, { ".mcp.json": { mcpServers: { x } } });
    const { warnings } = await copy(folders, { to: "cursor" });
    expect(warnings).toEqual([expect.stringContaining('"headersHelper" is not supported')]);
  });

  test("is refused when the original is gone", async () => {
    const folders = await makeFolders();
    const path = join(folders.home, ".cursor", "mcp.json");
    const source = { provider: "cursor", providerName: "Cursor", path, level: "user" } as const;
    await expect(
      copyServer("x", source, { to: "toolgate", level: "user", context: contextOf(folders) }),
    ).rejects.toThrow(`Server "x" cannot be copied: ${path} does not declare it.`);
  });
});

describe("the file that a client's new servers go to", () => {
  test("is the first that exists, else the first that is read, and never YAML", async () => {
    const folders = await makeFolders();
    const context = contextOf(folders);
    const folder = join(folders.home, ".config", "toolgate");
    const target = (): string => findWriteTarget("toolgate", { level: "user", context }).path;
    expect(target()).toBe(join(folder, "config.json"));
    await writeFiles(folder, { "config.yaml": "" });
    expect(target()).toBe(join(folder, "config.json"));
    await writeFiles(folder, { "config.jsonc": "" });
    expect(target()).toBe(join(folder, "config.jsonc"));
  });

  test("is the nearest of the project, else that at the root of the repository, and never package.json", async () => {
    const folders = await makeFolders();
    const cwd = join(folders.project, "packages", "a");
    await writeFiles(cwd, { "package.json": {} });
    const context = contextOf(folders, { cwd });
    const target = (id: string): string => findWriteTarget(id, { level: "project", context }).path;
    expect(target("toolgate")).toBe(join(folders.project, ".toolgate", "config.json"));
    expect(target("cursor")).toBe(join(folders.project, ".cursor", "mcp.json"));
    await writeFiles(folders.project, { "packages/.cursor/mcp.json": "" });
    expect(target("cursor")).toBe(join(folders.project, "packages", ".cursor", "mcp.json"));
  });

  test("is that of the context's platform", () => {
    const places = { cwd: "C:\\work", home: "C:\\Users\\me", env: {}, platform: "win32" } as const;
    const { path } = findWriteTarget("vscode", { level: "user", context: places });
    expect(path).toBe("C:\\Users\\me\\AppData\\Roaming\\Code\\User\\mcp.json");
    const mac = findWriteTarget("vscode", {
      level: "user",
      context: { ...places, home: "/Users/me", platform: "darwin" },
    });
    expect(mac.path).toBe("/Users/me/Library/Application Support/Code/User/mcp.json");
  });

  test("is refused with those that can be written", async () => {
    const context = contextOf(await makeFolders());
    const only = mcpProviders.filter(({ id }) => id === "cursor" || id === "codex" || id === "claude-code");
    const find = (id: string, level: "user" | "project") => () =>
      findWriteTarget(id, { level, context, providers: only });
    expect(find("nobody", "user")).toThrow(
      'There is no client "nobody". Clients that can be written: claude-code, cursor.',
    );
    expect(find("codex", "user")).toThrow(
      "The files of Codex are only read. Clients that can be written: claude-code, cursor.",
    );
    expect(find("claude-code", "project")).toThrow(
      "Claude Code has no file of the project that can be written. Clients that have one: cursor.",
    );
  });
});

describe("the place of an entry", () => {
  const find = async (folders: TestFolders): Promise<unknown> => {
    const source = sourceOf(findServer(await loadServers(folders), "x"));
    return findDeclaredPlace("x", source, { context: contextOf(folders) });
  };

  test("is found wherever the client keeps it", async () => {
    const x = { command: "c" };
    const files: [Record<string, unknown>, string, string[]][] = [
      [{ "package.json": { toolgate: { mcpServers: { x } } } }, "package.json", ["toolgate", "mcpServers"]],
      [{ "mcp.json": { servers: { x } } }, "mcp.json", ["servers"]],
      [{ ".vscode/mcp.json": { servers: { x } } }, ".vscode/mcp.json", ["servers"]],
    ];
    for (const [content, path, key] of files) {
      // oxlint-disable-next-line no-await-in-loop -- a folder each
      const folders = await makeFolders();
      // oxlint-disable-next-line no-await-in-loop -- a folder each
      await writeFiles(folders.project, content);
      // oxlint-disable-next-line no-await-in-loop -- a folder each
      expect(await find(folders)).toMatchObject({ path: join(folders.project, path), key });
    }
  });

  test("may be a section for one project", async () => {
    const folders = await makeFolders();
    const projects = { [folders.project]: { mcpServers: { x: { command: "c" } } } };
    await writeFiles(folders.home, { ".claude.json": { mcpServers: { x: { command: "other" } }, projects } });
    expect(await find(folders)).toEqual({
      path: join(folders.home, ".claude.json"),
      key: ["projects", folders.project, "mcpServers"],
    });
  });

  test("is none in a file that is only read", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.home, { ".codex/config.toml": '[mcp_servers.x]\ncommand = "c"\n' });
    expect(await find(folders)).toBeUndefined();
    await writeFiles(folders.home, { ".config/toolgate/config.yaml": "mcpServers: { x: { command: c } }" });
    expect(await find(folders)).toBeUndefined();
  });
});
