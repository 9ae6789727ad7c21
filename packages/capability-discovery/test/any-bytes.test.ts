import { join } from "node:path";

import { assert, asyncProperty, constantFrom, oneof, string, uint8Array, json, tuple } from "fast-check";
import { expect, test } from "vitest";

import { sourceOf } from "../src/capability.ts";
import { loadNativeSettings } from "../src/index.ts";
import { loadServers, makeFolders, writeFiles } from "./support/temporary-folder.ts";

// One file per provider and level, with one server each.
const FILES: Record<string, string> = {
  "home/.claude.json": '{"mcpServers":{"claude":{"command":"x"}}}',
  "home/.codex/config.toml": '[mcp_servers.codex]\ncommand = "x"\n',
  "home/.cursor/mcp.json": '{"mcpServers":{"cursor":{"command":"x"}}}',
  "home/.config/Code/User/mcp.json": '{"servers":{"code":{"command":"x"}}}',
  "home/.config/toolgate/config.yaml": "mcpServers: { native: { command: x } }",
  "project/.toolgaterc": "mcpServers: { rc: { command: x } }",
  "project/.mcp.json": '{"mcpServers":{"project":{"command":"x"}}}',
  "project/.cursor/mcp.json": '{"mcpServers":{"cursor-project":{"command":"x"}}}',
};
const PATHS = Object.keys(FILES);

const serverMap = tuple(
  constantFrom("mcpServers", "servers", "mcp_servers", "projects", "toolgate", "inputs"),
  json(),
).map(
  ([key, value]) =>
    `{"${key}":{"s":${value},"__proto__":${value},"t":{"command":${value},"args":${value},"env":${value}},"u":{"type":"http","url":${value},"headers":${value}}}}`,
);
const yamlText = tuple(string(), string()).map(([a, b]) => `mcpServers:\n  ? ${a}\n  : &a [*a, ${b}]\n`);
const anything = oneof(
  uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  string({ unit: "binary", maxLength: 300 }),
  json(),
  serverMap,
  yamlText,
);

test("no bytes in any file make discovery fail or lose another file's servers", async () => {
  const folders = await makeFolders();
  await writeFiles(folders.root, FILES);
  const all = (await loadServers(folders)).items;
  expect(all).toHaveLength(PATHS.length);
  await assert(
    asyncProperty(constantFrom(...PATHS), anything, async (path, content) => {
      await writeFiles(folders.root, { [path]: content });
      const result = await loadServers(folders);
      const found = [...result.items, ...result.shadowed];
      for (const expected of all) {
        if (sourceOf(expected).path === join(folders.root, path)) continue;
        expect(found).toContainEqual(
          expect.objectContaining({ name: expected.name, config: { command: "x" }, _source: sourceOf(expected) }),
        );
      }
      expect(result.warnings.filter(({ message }) => message.includes("could not be asked"))).toEqual([]);
      await loadNativeSettings({ cwd: folders.project, home: folders.home, env: {}, platform: "linux" });
      await writeFiles(folders.root, { [path]: FILES[path] });
    }),
    { numRuns: 300 },
  );
});
