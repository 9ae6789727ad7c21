import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { afterAll, beforeAll, expect, test } from "vitest";

import { bundleHost } from "./support/host-bundle.ts";
import { scripted, temporaryDirectory } from "./support/scripted.ts";

let host: Awaited<ReturnType<typeof bundleHost>>;
beforeAll(async () => {
  host = await bundleHost();
});
afterAll(() => host.remove());

test("a local server is spawned before the SDK is loaded, and nothing is loaded that only remote ones need", async () => {
  const notes = join(await temporaryDirectory(), "notes");
  const preload = pathToFileURL(fileURLToPath(new URL("servers/note-modules.mjs", import.meta.url))).href;
  const args = ["--import", preload, host.path, JSON.stringify([scripted()]), "close"];
  await promisify(execFile)(process.execPath, args, { env: { ...process.env, TOOLGATE_TEST_NOTES: notes } });

  const lines = (await readFile(notes, "utf8")).trimEnd().split("\n");
  const spawned = lines.indexOf("spawn");
  const sdk = lines.findIndex((line) => line.includes("/@modelcontextprotocol/"));
  expect(spawned).toBeGreaterThanOrEqual(0);
  expect(sdk).toBeGreaterThan(spawned);
  const remoteOnly =
    /sdk\/dist\/.*\/client\/(streamableHttp|sse|auth)|@modelcontextprotocol\/client|\/undici|remote-link/;
  expect(lines.filter((line) => remoteOnly.test(line))).toEqual([]);
});
