import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import * as toolCache from "@toolgate/tool-cache";
import { expect, test } from "vitest";

import { temporaryDirectory } from "../../../tooling/fixture-servers/index.mjs";
import { runReadmeExample } from "../../../tooling/test-support/run-readme-example.mjs";
import * as manager from "../src/index.ts";

test("the README's example runs on the real server", async () => {
  await using directory = await temporaryDirectory();
  const name = "@modelcontextprotocol/server-everything";
  const entry = join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), "dist", "index.js");
  const logged = await runReadmeExample(new URL("../README.md", import.meta.url), {
    modules: { "@toolgate/mcp-manager": manager, "@toolgate/tool-cache": toolCache },
    // The installed server in place of a download, and a cache of the test's own.
    replace: [
      ['command: "npx"', `command: ${JSON.stringify(process.execPath)}`],
      [`"-y", "${name}"`, JSON.stringify(entry)],
      ["createToolCache()", `createToolCache({ directory: ${JSON.stringify(directory.path)} })`],
    ],
  });
  expect(logged).toEqual([
    [13, "tools,", 0, "errors"],
    [[{ type: "text", text: expect.stringContaining("42") }]],
    ["tools:", 0],
  ]);
});
