import { join } from "node:path";

import { expect, test } from "vitest";

import { findServer, loadServers, makeFolders, writeFiles } from "../support/temporary-folder.ts";

test("an input of Continue without an answer is that server's problem, which says where to set it", async () => {
  const folders = await makeFolders();
  await writeFiles(folders.project, {
    ".continue/mcpServers/a.json": { command: "a-mcp", env: { KEY: "${{ inputs.API_KEY }}" } },
    ".continue/mcpServers/b.json": { command: "b-mcp" },
  });
  const result = await loadServers(folders);
  const { problem } = findServer(result, "a");
  expect(problem).toMatchObject({ code: "SUBSTITUTION_FAILED", server: "a" });
  expect(problem?.message).toContain(join(folders.project, ".continue/mcpServers/a.json"));
  expect(problem?.message).toContain("TOOLGATE_INPUT_API_KEY");
  expect(findServer(result, "b").problem).toBeUndefined();
});
