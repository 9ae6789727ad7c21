import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { isRecord } from "@toolgate/contracts";
import type { MCPServerConfig, SourceLevel } from "@toolgate/contracts";

import { LEVEL_RANK, sourceOf } from "./capability.ts";
import type { CapabilityProvider, CapabilityResult, LoadContext } from "./capability.ts";
import { createCapabilityRegistry } from "./registry.ts";
import { mcpCapability } from "./server-item.ts";
import type { MCPServerItem } from "./server-item.ts";

/** Declares a test: `test` of node:test, vitest or any runner of that form. */
export type TestFunction = (name: string, run: () => Promise<void>) => unknown;

/** A server that a case expects. */
export interface ExpectedServer {
  name: string;
  /** Compared whole, when given. In texts, `{home}` and `{project}` stand for the folders of the case. */
  config?: MCPServerConfig;
  level?: SourceLevel;
}

/** Files, and what the provider must find in them. */
export interface ProviderCase {
  name: string;
  /** Contents by path below a home directory made for the case. */
  home?: Record<string, string>;
  /** Contents by path below a project folder, which is the working directory. */
  project?: Record<string, string>;
  /** In values, `{home}` and `{project}` stand for the folders of the case. @default none */
  env?: Record<string, string>;
  /** @default "linux" */
  platform?: NodeJS.Platform;
  /** All items, in any order. */
  expected: readonly ExpectedServer[];
  /** One for each warning, in any order: a part of its message. @default none */
  warnings?: readonly string[];
}

// Each of them has broken a reader: nothing, no text, a byte order mark, half a document, wrong types, names of Object's
// own, and nesting that a recursive parser cannot follow.
const DAMAGED_CONTENTS: readonly string[] = [
  "",
  "\0\u0001\uFFFD",
  "\uFEFF{}",
  '{"mcpServers":{"a":',
  "[]",
  "null",
  "42",
  '{"mcpServers":{"__proto__":{"command":"x"},"constructor":null,"b":7,"c":[]}}',
  "[".repeat(20_000),
];

/**
 * The contract suite for providers of MCP servers: declares one test per rule and one per case.
 *
 * @param test - Declares a test.
 * @param factory - Makes the provider under test.
 * @param cases - What it must find; at least one case must have a file.
 */
export function describeProvider(
  test: TestFunction,
  factory: () => CapabilityProvider<MCPServerItem>,
  cases: readonly ProviderCase[],
): void {
  const { id } = factory();
  const declare = (name: string, run: (folders: Folders) => Promise<void>): unknown =>
    test(`${id}: ${name}`, () => withFolders(run));
  const [sample] = cases.filter(({ home, project }) => home !== undefined || project !== undefined);
  if (sample === undefined) throw new TypeError(`The contract suite of ${id} needs a case with a file.`);

  declare("has an id, a name, a priority and a load function", async () => {
    const provider = factory();
    assert.match(provider.id, /^[a-z0-9][a-z0-9-]*$/);
    assert.notEqual(provider.displayName.trim(), "");
    assert.ok(Number.isFinite(provider.priority));
    assert.equal(typeof provider.load, "function");
  });

  declare("finds nothing in empty folders and says nothing about it", async (folders) => {
    const result = await loadAlone(factory(), createContext(folders, {}));
    assert.deepEqual(ownResult(result), { items: [], warnings: [] });
  });

  declare("gives the same answer twice, and changes neither files nor environment", async (folders) => {
    await writeCase(folders, sample);
    const context = createContext(folders, sample);
    const before = { env: { ...context.env }, process: { ...process.env }, files: await snapshot(folders.root) };
    const first = await loadAlone(factory(), context);
    const second = await loadAlone(factory(), context);
    assert.deepEqual(second, first);
    const after = { env: { ...context.env }, process: { ...process.env }, files: await snapshot(folders.root) };
    assert.deepEqual(after, before);
  });

  declare("says of each item where it came from", async (folders) => {
    await writeCase(folders, sample);
    const provider = factory();
    const result = await provider.load(createContext(folders, sample));
    const listed = await provider.files?.(createContext(folders, sample));
    for (const item of result.items) {
      const { path, level } = sourceOf(item);
      assert.ok(Object.hasOwn(LEVEL_RANK, level), `level of ${item.name}`);
      assert.notEqual(path, "", `path of ${item.name}`);
      if (listed === undefined) continue;
      const file = listed.find((candidate) => candidate.path === path);
      assert.ok(file?.exists, `files() lists ${path}, from which ${item.name} came`);
    }
  });

  declare("survives every kind of damaged file and keeps to warnings", async (folders) => {
    await writeCase(folders, sample);
    const paths = await listFiles(folders.root);
    for (const path of paths) {
      // oxlint-disable no-await-in-loop -- one damage at a time, in files that are all the same ones
      const original = await readFile(path);
      for (const content of DAMAGED_CONTENTS) {
        await writeFile(path, content);
        const result = await loadAlone(factory(), createContext(folders, sample));
        assert.ok(!result.warnings.some(({ message }) => message.includes("could not be asked")), content.slice(0, 50));
      }
      await rm(path);
      await mkdir(path);
      await loadAlone(factory(), createContext(folders, sample));
      await rm(path, { recursive: true });
      await writeFile(path, original);
      // oxlint-enable no-await-in-loop
    }
    assert.equal(Reflect.get(Object.prototype, "command"), undefined);
  });

  for (const providerCase of cases) {
    declare(providerCase.name, async (folders) => {
      await writeCase(folders, providerCase);
      const result = await loadAlone(factory(), createContext(folders, providerCase));
      checkItems(result, providerCase, folders);
      checkWarnings(result, providerCase);
    });
  }
}

interface Folders {
  root: string;
  home: string;
  project: string;
}

async function withFolders(run: (folders: Folders) => Promise<void>): Promise<void> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "toolgate-provider-")));
  try {
    const folders = { root, home: join(root, "home"), project: join(root, "project") };
    await mkdir(folders.home);
    await mkdir(join(folders.project, ".git"), { recursive: true });
    await run(folders);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

function createContext(folders: Folders, { env = {}, platform = "linux" }: Partial<ProviderCase>): LoadContext {
  const values = Object.entries(env).map(([name, value]) => [name, insertFolders(value, folders)]);
  return { cwd: folders.project, home: folders.home, platform, env: Object.fromEntries(values) };
}

function insertFolders(text: string, { home, project }: Folders): string {
  return text.replaceAll("{home}", home).replaceAll("{project}", project);
}

/** Inserts the folders into every text of a value. */
function insertIntoTexts(value: unknown, folders: Folders): unknown {
  if (typeof value === "string") return insertFolders(value, folders);
  if (Array.isArray(value)) return value.map((item) => insertIntoTexts(item, folders));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, insertIntoTexts(item, folders)]));
}

/** Loads through a registry, which is how the answer reaches everyone else. */
function loadAlone(
  provider: CapabilityProvider<MCPServerItem>,
  context: LoadContext,
): Promise<CapabilityResult<MCPServerItem>> {
  return createCapabilityRegistry().load(mcpCapability, { ...context, providers: [provider] });
}

/** Without what is found outside of the case's folders: files of the machine's administrator. */
function ownResult({ items, warnings }: CapabilityResult<MCPServerItem>): { items: unknown[]; warnings: unknown[] } {
  return { items: items.filter((item) => sourceOf(item).level !== "system"), warnings };
}

async function writeCase(folders: Folders, { home = {}, project = {} }: ProviderCase): Promise<void> {
  const files = [
    ...Object.entries(home).map(([path, content]) => ({ path: join(folders.home, path), content })),
    ...Object.entries(project).map(([path, content]) => ({ path: join(folders.project, path), content })),
  ];
  await Promise.all(
    files.map(async ({ path, content }) => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, insertFolders(content, folders));
    }),
  );
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function snapshot(folder: string): Promise<Record<string, string>> {
  const paths = (await listFiles(folder)).toSorted();
  const contents = await Promise.all(paths.map(async (path) => [path, await readFile(path, "base64")] as const));
  return Object.fromEntries(contents);
}

function checkItems(result: CapabilityResult<MCPServerItem>, { expected }: ProviderCase, folders: Folders): void {
  const items = result.items.filter((item) => sourceOf(item).level !== "system" || expected.some(isNamed(item.name)));
  const names = items.map(({ name }) => name).toSorted();
  assert.deepEqual(names, expected.map(({ name }) => name).toSorted());
  for (const server of expected) {
    const item = items.find(isNamed(server.name));
    if (item === undefined) continue;
    if (server.config !== undefined) {
      assert.deepEqual(item.config, insertIntoTexts(server.config, folders), `config of ${server.name}`);
    }
    if (server.level !== undefined) assert.equal(sourceOf(item).level, server.level, `level of ${server.name}`);
  }
}

function isNamed(name: string): (item: { name: string }) => boolean {
  return (item) => item.name === name;
}

function checkWarnings(result: CapabilityResult<MCPServerItem>, { warnings = [] }: ProviderCase): void {
  const messages = result.warnings.map(({ message }) => message);
  for (const part of warnings) {
    assert.ok(
      messages.some((message) => message.includes(part)),
      `a warning with ${JSON.stringify(part)} among ${JSON.stringify(messages)}`,
    );
  }
  assert.equal(messages.length, warnings.length, `number of warnings: ${JSON.stringify(messages)}`);
}
