import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { listMatches } from "../src/folder-matches.ts";
import { createFileProvider } from "../src/index.ts";
import { loadServers, makeFolders, messagesOf, writeFiles } from "./support/temporary-folder.ts";

describe("the files that a pattern stands for", () => {
  test("are those of the folder whose names match, in the order of their names", async () => {
    const { home } = await makeFolders();
    await writeFiles(home, { "d/b.yaml": "", "d/a.yaml": "", "d/.yaml": "", "d/c.yml": "", "d/e/x.json": "" });
    const folder = join(home, "d");
    expect(listMatches(folder, "*.yaml")).toEqual([".yaml", "a.yaml", "b.yaml"].map((name) => join(folder, name)));
    expect(listMatches(folder, "a*a.yaml")).toEqual([join(folder, "a*a.yaml")]);
    expect(listMatches(folder, "e*/x.json")).toEqual([join(folder, "e", "x.json")]);
    expect(listMatches(folder, "e*/y.json")).toEqual([join(folder, "e", "y.json")]);
  });

  test("are the pattern alone where there is no folder", async () => {
    const { home } = await makeFolders();
    await writeFiles(home, { file: "" });
    expect(listMatches(join(home, "none"), "*.json")).toEqual([join(home, "none", "*.json")]);
    expect(listMatches(join(home, "file"), "*.json")).toEqual([join(home, "file", "*.json")]);
    expect(listMatches("C:\\none", "*/mcp.json")).toEqual(["C:\\none\\*\\mcp.json"]);
  });

  test("are read one by one, each with its own warning", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.project, {
      ".house/servers/a.json": { mcpServers: { a: { command: "a" } } },
      ".house/servers/b.json": "{",
      ".house/servers/c.json/folder": "",
      ".house/servers/d.json": { mcpServers: { a: { command: "shadowed" }, d: { command: "d" } } },
    });
    const provider = createFileProvider({
      id: "house",
      displayName: "House",
      priority: 40,
      files: { project: [{ path: ".house/servers", below: "*.json" }] },
    });
    const result = await loadServers(folders, { providers: [provider] });
    expect(result.items.map(({ name, config }) => [name, config])).toEqual([
      ["a", { command: "a" }],
      ["d", { command: "d" }],
    ]);
    expect(messagesOf(result)).toEqual([
      expect.stringContaining("The file does not parse at line 1"),
      "The file is a folder, not a file.",
    ]);
  });
});
