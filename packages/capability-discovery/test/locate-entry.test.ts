import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { locateEntry } from "../src/index.ts";
import { loadServers, makeFolders, writeFiles } from "./support/temporary-folder.ts";

const TEXT = `\uFEFF{
  // a comment, and an entry of the same name for another project
  "projects": { "/other": { "mcpServers": { "a": { "command": "z" } } } },
  "mcpServers": {
    "a": {
      "command": "x",
      "args": ["--key", "\${KEY}"],
    },
  },
}`;
const DEFINITION = { command: "x", args: ["--key", "${KEY}"] };

describe("the place of an entry", () => {
  test("is the line and column of its key, or of a field within it", async () => {
    const folders = await makeFolders();
    const path = join(folders.root, "file.json");
    await writeFiles(folders.root, { "file.json": TEXT, "list.json": { mcpServers: [{ name: "b" }, { name: "a" }] } });
    const entry = { path, name: "a", definition: DEFINITION };
    expect(await locateEntry(entry)).toEqual({ line: 5, column: 5 });
    expect(await locateEntry({ ...entry, field: ["args", 1] })).toEqual({ line: 7, column: 25 });
    expect(await locateEntry({ ...entry, field: ["command"] })).toEqual({ line: 6, column: 7 });
    expect(await locateEntry({ ...entry, field: ["absent"] })).toEqual({ line: 5, column: 5 });
    expect(await locateEntry({ ...entry, definition: { command: "z" } })).toEqual({ line: 3, column: 45 });
    expect(await locateEntry({ ...entry, definition: { command: "other" } })).toBeUndefined();
    const list = { path: join(folders.root, "list.json"), name: "a", definition: { name: "a" } };
    expect(await locateEntry(list)).toEqual({ line: 1, column: 29 });
  });

  test("is unknown in other formats, in files that are gone and in texts that are none", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.root, { "a.toml": "[mcp_servers.a]", "deep.json": "[".repeat(50_000) });
    for (const file of ["a.toml", "gone.json", "deep.json"]) {
      // oxlint-disable-next-line no-await-in-loop -- three small files
      expect(await locateEntry({ path: join(folders.root, file), name: "a", definition: {} })).toBeUndefined();
    }
  });

  test("stands in the warnings of readers", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.home, { ".claude.json": TEXT });
    const { warnings } = await loadServers(folders);
    expect(warnings).toMatchObject([{ kind: "unset-variable", subject: "KEY", server: "a", line: 5, column: 5 }]);
  });

  test("of servers under a wrong key is that key's", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.project, {
      ".vscode/mcp.json": '{\n  "inputs": [],\n  "mcpServers": { "a": { "command": "x" } }\n}',
      ".mcp.json": '{\n\n  "mcp": { "servers": { "a": { "command": "x" } } }\n}',
    });
    const { warnings } = await loadServers(folders);
    expect(warnings).toMatchObject([
      { kind: "misplaced-servers", subject: "mcpServers", line: 3, column: 3 },
      { kind: "misplaced-servers", subject: "mcp.servers", line: 3, column: 3 },
    ]);
  });
});
