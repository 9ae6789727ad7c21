import { readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, onTestFinished, test, vi } from "vitest";

import { mcpCapability } from "../src/index.ts";
import type { CapabilityProvider, MCPServerItem } from "../src/index.ts";
import { describeProvider } from "../src/testing.ts";
import { createBuiltinRegistry, makeFolders, writeFiles } from "./support/temporary-folder.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

function readSnippet(heading: string): string {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const [, code] = /```ts\n([\s\S]*?)```/.exec(section) ?? [];
  if (code === undefined) throw new Error(`README has no code under ${heading}`);
  return code;
}

async function importSnippet(heading: string): Promise<Record<string, unknown>> {
  // Within the package, so that its own name resolves as it does for its users.
  const folder = fileURLToPath(new URL(`./.readme-${process.pid}/`, import.meta.url));
  await mkdir(folder, { recursive: true });
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, `${heading.toLowerCase()}.ts`);
  await writeFile(file, readSnippet(heading));
  return (await import(file)) as Record<string, unknown>;
}

test("the snippet under Use prints what is found", async () => {
  const folders = await makeFolders();
  await writeFiles(folders.home, { ".cursor/mcp.json": { mcpServers: { a: { command: "x" }, b: 5 } } });
  await writeFiles(folders.project, { ".mcp.json": { mcpServers: { a: { command: "y" } } } });
  vi.stubEnv("HOME", folders.home);
  vi.stubEnv("USERPROFILE", folders.home);
  vi.stubEnv("XDG_CONFIG_HOME", "");
  const cwd = vi.spyOn(process, "cwd").mockReturnValue(folders.project);
  const log = vi.spyOn(console, "log").mockReturnValue();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    cwd.mockRestore();
    log.mockRestore();
  });
  await importSnippet("Use");
  expect(log.mock.calls.flat()).toEqual([
    `a: .mcp.json, ${join(folders.project, ".mcp.json")}`,
    `a: not used, ${join(folders.project, ".mcp.json")} has it too`,
    `${join(folders.home, ".cursor/mcp.json")}: Server "b" is left out: the entry is not an object.`,
  ]);
});

test("the provider under Extending reads what it says", async () => {
  const { houseProvider } = (await importSnippet("Extending")) as { houseProvider: CapabilityProvider<MCPServerItem> };
  const runs: Promise<void>[] = [];
  describeProvider(
    (_name, run) => runs.push(run()),
    () => houseProvider,
    [
      {
        name: "reads its own rules",
        home: {
          "Library/Application Support/HouseEditor/settings.json":
            '{"ai":{"servers":{"a":{"command":"x","environment":{"K":"${env:V}"},"timeout":2,"hiddenTools":["t"]},"b":{"url":"https://b.example/sse"}}}}',
        },
        env: { V: "1" },
        platform: "darwin",
        expected: [
          { name: "a", level: "user", config: { command: "x", env: { K: "1" }, timeout: 2000, excludeTools: ["t"] } },
          { name: "b", config: { type: "sse", url: "https://b.example/sse" } },
        ],
      },
    ],
  );
  await Promise.all(runs);
  expect(runs).toHaveLength(6);
  expect(() => createBuiltinRegistry().register(mcpCapability, houseProvider)).not.toThrow();
});
