import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { listMatches, MAX_MATCHES } from "../src/folder-matches.ts";
import { createFileProvider } from "../src/index.ts";
import { loadServers, makeFolders, messagesOf, writeFiles } from "./support/temporary-folder.ts";

const houseProvider = createFileProvider({
  id: "house",
  displayName: "House",
  priority: 40,
  files: { project: [{ path: ".house/servers", below: "*.json" }] },
});

describe("the files that a pattern stands for", () => {
  test("are those of the folder whose names match, in the order of their names", async () => {
    const { home } = await makeFolders();
    await writeFiles(home, { "d/b.yaml": "", "d/a.yaml": "", "d/.yaml": "", "d/c.yml": "", "d/e/x.json": "" });
    const folder = join(home, "d");
    const find = (pattern: string): string[] => listMatches(folder, pattern).paths;
    expect(find("*.yaml")).toEqual([".yaml", "a.yaml", "b.yaml"].map((name) => join(folder, name)));
    expect(find("a*a.yaml")).toEqual([join(folder, "a*a.yaml")]);
    expect(find("e*/x.json")).toEqual([join(folder, "e", "x.json")]);
    expect(find("e*/y.json")).toEqual([join(folder, "e", "y.json")]);
  });

  test("are the pattern alone where there is no folder", async () => {
    const { home } = await makeFolders();
    await writeFiles(home, { file: "" });
    expect(listMatches(join(home, "none"), "*.json").paths).toEqual([join(home, "none", "*.json")]);
    expect(listMatches(join(home, "file"), "*.json").paths).toEqual([join(home, "file", "*.json")]);
    expect(listMatches("C:\\none", "*/mcp.json").paths).toEqual(["C:\\none\\*\\mcp.json"]);
  });

  test("are read one by one, each with its own warning", async () => {
    const folders = await makeFolders();
    await writeFiles(folders.project, {
      ".house/servers/a.json": { mcpServers: { a: { command: "a" } } },
      ".house/servers/b.json": "{",
      ".house/servers/c.json/folder": "",
      ".house/servers/d.json": { mcpServers: { a: { command: "shadowed" }, d: { command: "d" } } },
    });
    const result = await loadServers(folders, { providers: [houseProvider] });
    expect(result.items.map(({ name, config }) => [name, config])).toEqual([
      ["a", { command: "a" }],
      ["d", { command: "d" }],
    ]);
    expect(messagesOf(result)).toEqual([
      expect.stringContaining("The file does not parse at line 1"),
      "The file is a folder, not a file.",
    ]);
  });

  test("are not read beyond a hundred, with a warning", async () => {
    const folders = await makeFolders();
    const names = Array.from({ length: MAX_MATCHES + 2 }, (_, index) => `s${String(index).padStart(3, "0")}`);
    const files = names.map((name) => [`.house/servers/${name}.json`, { mcpServers: { [name]: { command: name } } }]);
    await writeFiles(folders.project, Object.fromEntries(files) as Record<string, unknown>);
    const result = await loadServers(folders, { providers: [houseProvider] });
    expect(result.items.map(({ name }) => name)).toEqual(names.slice(0, MAX_MATCHES));
    expect(messagesOf(result)).toEqual(["2 more files of its folder are not read: too many."]);
  });
});
