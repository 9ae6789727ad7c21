import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import type { MCPServerConfig } from "@toolgate/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";

import { eraServer } from "../../../../tooling/fixture-servers/index.mjs";
import { serveEras } from "../support/eras.ts";
import { bundleHost } from "../support/host-bundle.ts";
import { scripted } from "../support/scripted.ts";

const PRINT_IMPORTS = fileURLToPath(new URL("../servers/print-imports.mjs", import.meta.url));

let host: Awaited<ReturnType<typeof bundleHost>>;
beforeAll(async () => {
  host = await bundleHost("era-host");
});
afterAll(() => host.remove());

/** Connects in a process of its own; gives the era and the lines of the SDK that were loaded for it. */
async function loadedLines(config: MCPServerConfig, ...era: string[]): Promise<{ era: string; lines: string[] }> {
  const args = ["--import", PRINT_IMPORTS, host.path, JSON.stringify(config), ...era];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24 });
  const found = stderr.matchAll(/@modelcontextprotocol\/(sdk|client)\//g);
  return { era: stdout, lines: [...new Set(Array.from(found, ([, line = ""]) => line))] };
}

test("a server of the initialize era loads one line of the SDK, and a remembered modern server the other", async () => {
  await expect(loadedLines(scripted({ pages: [{ tools: [] }] }))).resolves.toEqual({ era: "legacy", lines: ["sdk"] });
  const modern = { era: "modern", lines: ["client"] };
  await expect(loadedLines(eraServer({ legacy: "reject" }), "modern")).resolves.toEqual(modern);
  await expect(loadedLines({ ...eraServer(), protocol: "modern" })).resolves.toEqual(modern);
});

test("the same goes for remote servers", async () => {
  const { config } = await serveEras();
  await expect(loadedLines(config)).resolves.toEqual({ era: "legacy", lines: ["sdk"] });
  await expect(loadedLines(config, "modern")).resolves.toEqual({ era: "modern", lines: ["client"] });
});
