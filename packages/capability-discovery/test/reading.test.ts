import { execFileSync } from "node:child_process";
import { chmod, mkdir, rm, symlink, truncate } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { MAX_CONFIG_FILE_BYTES } from "../src/index.ts";
import { findServer, loadServers, makeFolders, messagesOf, writeFiles } from "./support/temporary-folder.ts";

const ONE = { mcpServers: { one: { command: "one" } } };
const TWO = { mcpServers: { two: { command: "two" } } };

function entry(command: string): unknown {
  return { mcpServers: { x: { command }, [command]: { command } } };
}

describe("reading files", () => {
  test.each([
    ["UTF-8 with a byte order mark", Buffer.from(`\uFEFF${JSON.stringify(ONE)}`)],
    ["UTF-16 of older shells, little endian", Buffer.from(`\uFEFF${JSON.stringify(ONE)}`, "utf16le")],
    ["UTF-16, big endian", Buffer.from(`\uFEFF${JSON.stringify(ONE)}`, "utf16le").swap16()],
    ["comments and trailing commas", '// first\n{ "mcpServers": { "one": { "command": "one", }, }, /* end */ }'],
  ])("%s", async (_name, content) => {
    const folders = await makeFolders();
    await writeFiles(folders.home, { ".cursor/mcp.json": content, ".claude.json": TWO });
    const result = await loadServers(folders);
    expect(findServer(result, "one").config).toEqual({ command: "one" });
    expect(result.items).toHaveLength(2);
    expect(result.warnings).toEqual([]);
  });

  test.each([
    ["JSON", ".cursor/mcp.json", '{\n  "mcpServers": {\n    "a" 5\n  }\n}', { line: 3, column: 9 }],
    ["TOML", ".codex/config.toml", "[a]\nb = = 1\n", { line: 2, column: 5 }],
    ["YAML", ".config/toolgate/config.yaml", "a: 1\n b: [\n", { line: 2 }],
  ])("a %s file that does not parse is one warning with its place", async (_name, path, content, place) => {
    const folders = await makeFolders();
    await writeFiles(folders.home, { [path]: content, ".claude.json": TWO });
    const result = await loadServers(folders);
    expect(result.items.map(({ name }) => name)).toEqual(["two"]);
    expect(result.warnings).toHaveLength(1);
    expect(result.warnings[0]).toMatchObject({ path: join(folders.home, path), ...place });
    expect(result.warnings[0]?.message).toContain("does not parse");
  });

  test.each(["", " \n\t", "\uFEFF", "{}", "null", "// nothing\n"])("%j is an empty file", async (content) => {
    const folders = await makeFolders();
    await writeFiles(folders.home, { ".cursor/mcp.json": content });
    const result = await loadServers(folders);
    expect(result).toMatchObject({ items: [], warnings: [] });
  });

  test("a FIFO, a socket, a folder, a device and a giant are refused, and never waited for", async () => {
    const folders = await makeFolders();
    const path = (name: string): string => join(folders.home, name);
    await writeFiles(folders.home, { ".claude.json": TWO, ".codex/config.toml": "" });
    await mkdir(path(".cursor/mcp.json"), { recursive: true });
    execFileSync("mkfifo", [path(".config-fifo")]);
    await mkdir(path(".config/toolgate"), { recursive: true });
    await symlink(path(".config-fifo"), path(".config/toolgate/config.json"));
    await symlink("/dev/zero", path(".config/toolgate/config.yaml"));
    await mkdir(path(".config/Code/User"), { recursive: true });
    const socket = createServer();
    await new Promise<void>((resolve) => socket.listen(path(".config/Code/User/mcp.json"), resolve));
    await truncate(path(".codex/config.toml"), MAX_CONFIG_FILE_BYTES + 1);
    try {
      const result = await loadServers(folders);
      expect(result.items.map(({ name }) => name)).toEqual(["two"]);
      expect(messagesOf(result).toSorted()).toEqual([
        "The file is a folder, not a file.",
        `The file is larger than ${MAX_CONFIG_FILE_BYTES} bytes.`,
        "The file is not a regular file.",
        "The file is not a regular file.",
        "The file is not a regular file.",
      ]);
    } finally {
      await new Promise((resolve) => socket.close(resolve));
    }
  });

  test("a file that may not be read is a warning", async (context) => {
    if (process.getuid?.() === 0) {
      context.skip("the superuser may read every file");
    }
    const folders = await makeFolders();
    await writeFiles(folders.home, { ".cursor/mcp.json": ONE, ".claude.json": TWO });
    await chmod(join(folders.home, ".cursor/mcp.json"), 0);
    const result = await loadServers(folders);
    expect(messagesOf(result)).toEqual(["The file may not be read (permission denied)."]);
    expect(result.items).toHaveLength(1);
  });

  test("a link that leads nowhere, and a file in a folder's place, are silence", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.home, { ".cursor": "a file", ".claude.json": TWO });
    await symlink(join(folders.home, "nowhere"), join(folders.home, ".codex"));
    const result = await loadServers(folders);
    expect(result.items).toHaveLength(1);
    expect(result.warnings).toEqual([]);
  });

  test("absurd nesting is a warning of the file or of the entry", async () => {
    const folders = await makeFolders();
    const nested = `${'{"a":'.repeat(2000)}1${"}".repeat(2000)}`;
    await writeFiles(folders.home, {
      ".claude.json": `{"mcpServers":{"deep":{"command":"x","extra":${nested}},"two":{"command":"two"}}}`,
      ".cursor/mcp.json": `{"mcpServers":${"[".repeat(200_000)}`,
      ".config/toolgate/config.yaml":
        "mcpServers:\n  loop: &loop { command: x, again: *loop }\n  three: { command: three }\n",
    });
    const result = await loadServers(folders);
    expect(result.items.map(({ name }) => name).toSorted()).toEqual(["three", "two"]);
    expect(result.warnings).toHaveLength(3);
  });

  test("keys of Object's own are ordinary keys, with and without comments", async () => {
    const folders = await makeFolders();
    const text =
      '{"mcpServers":{"__proto__":{"command":"p","env":{"__proto__":"1"}},"constructor":{"command":"c"},"x":{"__proto__":{"command":"evil"}}}}';
    await writeFiles(folders.home, { ".cursor/mcp.json": text, ".claude.json": `// comment\n${text}` });
    const result = await loadServers(folders);
    expect(result.items.map(({ name }) => name)).toEqual(["__proto__", "constructor"]);
    const [first] = result.items;
    expect(Object.entries(Reflect.get(first?.config ?? {}, "env") as object)).toEqual([["__proto__", "1"]]);
    expect(result.shadowed).toHaveLength(2);
    expect(messagesOf(result)).toHaveLength(2);
    expect(Reflect.get({}, "command")).toBeUndefined();
  });

  test("one physical file is read once, with the user's level", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.home, { ".cursor/mcp.json": ONE });
    const athome = await loadServers(folders, { cwd: folders.home });
    expect(athome.items.map(({ _source }) => _source.level)).toEqual(["user"]);
    await mkdir(join(folders.project, ".cursor"));
    await symlink(join(folders.home, ".cursor/mcp.json"), join(folders.project, ".cursor/mcp.json"));
    const linked = await loadServers(folders);
    expect(linked.items.map(({ _source }) => _source.level)).toEqual(["user"]);
    expect(linked.shadowed).toEqual([]);
  });
});

describe("project folders", () => {
  test("are looked through up to the root of the repository, nearest first, never above", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.root, {
      ".mcp.json": entry("above"),
      "project/.mcp.json": entry("root"),
      "project/packages/app/.mcp.json": entry("app"),
      "project/packages/app/src/index.ts": "",
    });
    const result = await loadServers(folders, { cwd: join(folders.project, "packages/app/src") });
    expect(findServer(result, "x")).toMatchObject({
      config: { command: "app" },
      projectDirectory: join(folders.project, "packages/app"),
    });
    expect(result.items.map(({ name }) => name).toSorted()).toEqual(["app", "root", "x"]);
    expect(result.shadowed).toMatchObject([{ name: "x", config: { command: "root" } }]);
  });

  test("outside of a repository only the working directory counts", async () => {
    const folders = await makeFolders();
    await rm(join(folders.project, ".git"), { recursive: true });
    await writeFiles(folders.project, { ".mcp.json": ONE, "sub/.mcp.json": TWO });
    const result = await loadServers(folders, { cwd: join(folders.project, "sub") });
    expect(result.items.map(({ name }) => name)).toEqual(["two"]);
  });
});
