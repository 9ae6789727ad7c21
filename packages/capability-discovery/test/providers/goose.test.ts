import { expect, test } from "vitest";

import { findServer, loadServers, makeFolders, writeFiles } from "../support/temporary-folder.ts";

test("extensions that run inside Goose are listed with the reason why they are not used", async () => {
  const folders = await makeFolders();
  await writeFiles(folders.home, {
    ".config/goose/config.yaml": "extensions:\n  developer: { enabled: true, type: builtin, name: developer }\n",
  });
  const result = await loadServers(folders);
  expect(findServer(result, "developer")).toMatchObject({
    config: { enabled: false },
    unsupported: 'the extension type "builtin", which runs inside Goose',
  });
  expect(result.warnings).toEqual([]);
});
