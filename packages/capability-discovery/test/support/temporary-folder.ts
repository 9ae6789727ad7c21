import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { onTestFinished } from "vitest";

import { createCapabilityRegistry, mcpCapability, mcpProviders } from "../../src/index.ts";
import type { CapabilityRegistry, CapabilityResult, LoadOptions, MCPServerItem } from "../../src/index.ts";

/** A home directory and a repository of one test, removed when the test is over. */
export interface TestFolders {
  root: string;
  home: string;
  project: string;
}

export async function makeFolders(): Promise<TestFolders> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "toolgate-discovery-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const folders = { root, home: join(root, "home"), project: join(root, "project") };
  await mkdir(folders.home);
  await mkdir(join(folders.project, ".git"), { recursive: true });
  return folders;
}

/** Writes files below a folder; objects are written as JSON. */
export async function writeFiles(folder: string, files: Record<string, unknown>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const target = join(folder, path);
    // oxlint-disable-next-line no-await-in-loop -- files may share folders
    await mkdir(dirname(target), { recursive: true });
    const isRaw = typeof content === "string" || Buffer.isBuffer(content);
    // oxlint-disable-next-line no-await-in-loop -- files may share folders
    await writeFile(target, isRaw ? content : JSON.stringify(content));
  }
}

export function createBuiltinRegistry(): CapabilityRegistry {
  const registry = createCapabilityRegistry();
  for (const provider of mcpProviders) registry.register(mcpCapability, provider);
  return registry;
}

/** Loads with all built-in providers, on Linux unless said otherwise. */
export function loadServers(
  folders: TestFolders,
  options: Partial<LoadOptions<MCPServerItem>> = {},
): Promise<CapabilityResult<MCPServerItem>> {
  return createBuiltinRegistry().load(mcpCapability, {
    cwd: folders.project,
    home: folders.home,
    env: {},
    platform: "linux",
    ...options,
  });
}

export function findServer(
  result: CapabilityResult<MCPServerItem>,
  name: string,
): CapabilityResult<MCPServerItem>["items"][number] {
  const item = result.items.find((candidate) => candidate.name === name);
  if (item === undefined) {
    throw new Error(
      `no server ${name} among ${JSON.stringify(result.items)}; warnings: ${JSON.stringify(result.warnings)}`,
    );
  }
  return item;
}

export function messagesOf(result: { warnings: readonly { message: string }[] }): string[] {
  return result.warnings.map(({ message }) => message);
}
