import { join } from "node:path";

import { expect, test } from "vitest";

import { sourceOf } from "../src/capability.ts";
import { findServer, loadServers, makeFolders, writeFiles } from "./support/temporary-folder.ts";

test("a server that Gemini CLI's own lists switch off says which file does", async () => {
  const folders = await makeFolders();
  await writeFiles(folders.home, {
    ".gemini/settings.json": {
      mcp: { allowed: ["a", "b"] },
      mcpServers: { a: {}, b: { command: "b" }, c: { command: "c" } },
    },
  });
  await writeFiles(folders.project, { ".gemini/settings.json": { mcp: { excluded: ["b"] } } });
  const result = await loadServers(folders);
  expect(findServer(result, "b").disabledBy).toBe(join(folders.project, ".gemini/settings.json"));
  expect(findServer(result, "c").disabledBy).toBe(join(folders.home, ".gemini/settings.json"));
});

test.each([
  ["npx -y server", { command: "npx", args: ["-y", "server"] }],
  ["'my server' --name=\"two words\"", { command: "my server", args: ["--name=two words"] }],
  ["server --root $ROOT", { command: "server", args: ["--root", "/srv"] }],
])("Gemini CLI's mcp.serverCommand %j is a server of its own", async (serverCommand, config) => {
  const folders = await makeFolders();
  await writeFiles(folders.home, { ".gemini/settings.json": { mcp: { serverCommand } } });
  const item = findServer(await loadServers(folders, { env: { ROOT: "/srv" } }), "mcp");
  expect(item.config).toEqual(config);
  expect(sourceOf(item).origin).toBe("mcp.serverCommand");
});

test.each(["server | tee log", "server > log", "server 'open", "cd x && server", "server *.json"])(
  "Gemini CLI's mcp.serverCommand %j, which needs a shell, is unsupported",
  async (serverCommand) => {
    const folders = await makeFolders();
    await writeFiles(folders.home, { ".gemini/settings.json": { mcp: { serverCommand } } });
    const item = findServer(await loadServers(folders), "mcp");
    expect(item).toMatchObject({ config: { enabled: false }, unsupported: expect.stringContaining("needs a shell") });
  },
);
