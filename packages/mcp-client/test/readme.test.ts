import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { expect, test, vi } from "vitest";

import * as client from "../src/index.ts";
import { npmServer } from "./support/npm-servers.ts";

test("the README's example runs", async () => {
  const readme = await readFile(fileURLToPath(new URL("../README.md", import.meta.url)), "utf8");
  const [, example = ""] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  const [, names = ""] = /^import \{([^}]*)\} from "@toolgate\/mcp-client";$/m.exec(example) ?? [];
  // The installed server instead of a download; everything else is run as it stands.
  const { command, args } = npmServer("server-everything", "stdio");
  const body = example
    .replace(/^import .*$/m, "")
    .replace('command: "npx"', `command: ${JSON.stringify(command)}`)
    .replace(/args: \[.*\]/, `args: ${JSON.stringify(args)}`);
  const log = vi.fn<(...parts: unknown[]) => void>();
  // oxlint-disable-next-line typescript/no-implied-eval -- the example is the program under test
  const run = new Function("client", "console", `return (async () => { const {${names}} = client; ${body} })()`) as (
    library: typeof client,
    output: { log: typeof log },
  ) => Promise<void>;
  await run(client, { log });
  expect(log.mock.calls).toEqual([["13 tools, 0 unusable"], [false, [{ type: "text", text: "Echo: hello" }]]]);
});
