import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import type { CacheEntry, MCPServerConfig } from "@toolgate/contracts";
import { build } from "rolldown";
import { beforeEach, expect, onTestFinished, test } from "vitest";

import { createToolCache, FileStore } from "../src/index.ts";
import { scratchDirectory } from "./support/scratch-directory.ts";

const config: MCPServerConfig = { command: "node", env: { API_KEY: "sk-1234567890abcdef" } };
const entry: CacheEntry = { tools: [{ name: "echo", inputSchema: { type: "object" } }], fetchedAt: Date.now() };

let root: ReturnType<typeof scratchDirectory>;
beforeEach(() => {
  root = scratchDirectory();
  onTestFinished(root.remove);
});

function onlyFile(directory: string): string {
  const [name = "", ...others] = readdirSync(directory);
  expect(others).toEqual([]);
  return join(directory, name);
}

test.skipIf(process.platform === "win32")("files and their directory are open to their owner only", async () => {
  const directory = root.file("a", "b");
  await createToolCache({ directory }).set("server", config, entry);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(statSync(onlyFile(directory)).mode & 0o777).toBe(0o600);
});

test("no secret of the config is on disk, not even when the server repeats it", async () => {
  const directory = root.file("tools");
  const cache = createToolCache({ directory });
  const description = "Uses the key sk-1234567890abcdef";
  await cache.set("server", config, {
    ...entry,
    tools: [{ name: "echo", description, inputSchema: { type: "object", title: "kept" } }],
  });
  expect(readFileSync(onlyFile(directory), "utf8")).not.toContain("sk-1234567890abcdef");
  expect((await cache.get("server", config))?.tools).toEqual([
    { name: "echo", description: "Uses the key ***", inputSchema: { type: "object", title: "kept" } },
  ]);
});

test("an ordinary value that schemas are made of is not taken for a secret", async () => {
  const cache = createToolCache({ directory: root.file("tools") });
  const plain: MCPServerConfig = { command: "node", env: { KEY_KIND: "object", ROOT_TYPE: "property-names" } };
  const tools = [{ name: "property-names", inputSchema: { type: "object" as const, title: "object" } }];
  await cache.set("server", plain, { ...entry, tools });
  expect((await cache.get("server", plain))?.tools).toEqual(tools);
});

test.each<[string, (path: string) => void]>([
  ["cut off", (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
  ["emptied", (path) => truncateSync(path, 0)],
  ["binary rubbish", (path) => writeFileSync(path, Buffer.from([0xff, 0x00, 0xfe, 0x80]))],
  ["JSON of something else", (path) => writeFileSync(path, '["a", "list"]')],
  ["an older format", (path) => writeFileSync(path, readFileSync(path, "utf8").replace('"format":1', '"format":0'))],
  ["without its tools", (path) => writeFileSync(path, readFileSync(path, "utf8").replace('"tools"', '"other"'))],
  ["with a tool of a wrong shape", (path) => writeFileSync(path, readFileSync(path, "utf8").replace('"echo"', "7"))],
])("a file that is %s is a miss without a warning, and the next write mends it", async (_, damage) => {
  const directory = root.file("tools");
  const warnings: string[] = [];
  const cache = createToolCache({ directory, logger: collecting(warnings) });
  await cache.set("server", config, entry);
  damage(onlyFile(directory));
  expect(await cache.get("server", config)).toBeNull();
  await cache.set("server", config, entry);
  expect(await cache.get("server", config)).toEqual(entry);
  expect(warnings).toEqual([]);
});

test("one damaged or unreadable file does not hide the others", async () => {
  const directory = root.file("tools");
  const store = new FileStore({ directory });
  await store.set("first", 1);
  await store.set("second", 2);
  mkdirSync(join(directory, "third.entry.json"));
  expect(await store.getMany(["first", "third", "second"])).toEqual([1, undefined, 2]);
});

test("a directory that cannot be made is one warning and then no cache", async () => {
  writeFileSync(root.file("file"), "in the way");
  const warnings: string[] = [];
  const cache = createToolCache({ directory: root.file("file", "tools"), logger: collecting(warnings) });
  await cache.set("server", config, entry);
  await cache.set("server", config, entry);
  expect(await cache.get("server", config)).toBeNull();
  await cache.clear();
  await cache.delete("server", config);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain("tool cache could not be written");
});

test("clear removes the store's files and nothing else", async () => {
  const directory = root.file("tools");
  const cache = createToolCache({ directory });
  await cache.set("server", config, entry);
  writeFileSync(join(directory, "notes.json"), "{}");
  writeFileSync(join(directory, "abc.entry.json.12-ab.tmp"), "{");
  await cache.clear();
  expect(readdirSync(directory)).toEqual(["notes.json"]);
});

test("files that nobody has written for long, and temporary files of killed processes, are removed", async () => {
  const directory = root.file("tools");
  mkdirSync(directory);
  const old = new Date(Date.now() - 61 * 24 * 60 * 60 * 1000);
  for (const name of ["old.entry.json", "old.entry.json.1f-ab.tmp", "foreign.txt"]) {
    writeFileSync(join(directory, name), "{}");
    utimesSync(join(directory, name), old, old);
  }
  writeFileSync(join(directory, "young.entry.json"), "{}");
  writeFileSync(join(directory, "young.entry.json.1f-ab.tmp"), "{}");
  await new FileStore({ directory }).set("new", 1);
  expect(readdirSync(directory).toSorted()).toEqual([
    "foreign.txt",
    "new.entry.json",
    "young.entry.json",
    "young.entry.json.1f-ab.tmp",
  ]);
});

test("a key that is no file name finds its value again and stays inside the directory", async () => {
  const store = new FileStore({ directory: root.file("tools") });
  const keys = ["../outside", "a:b", "A", "a", "x".repeat(300)];
  for (const key of keys) await store.set(key, key);
  expect(await store.getMany(keys)).toEqual(keys);
  expect(readdirSync(root.path)).toEqual(["tools"]);
  expect(readdirSync(root.file("tools"))).toContain(`${createHash("sha256").update("A").digest("hex")}.entry.json`);
});

test("creating a cache touches no file, and reading makes none", async () => {
  const cache = createToolCache({ env: {}, home: root.path, platform: "linux" });
  expect(await cache.get("server", config)).toBeNull();
  expect(existsSync(root.file(".cache"))).toBe(false);
  await cache.set("server", config, entry);
  expect(readdirSync(root.file(".cache", "toolgate", "tools"))).toHaveLength(1);
});

test("writes of four processes at once are all kept", async () => {
  const program = await bundle(fileURLToPath(new URL("fixtures/write-entries.ts", import.meta.url)));
  const directory = root.file("tools");
  const children = ["a", "b", "c", "d"];
  const run = promisify(execFile);
  await Promise.all(children.map((child) => run(process.execPath, [program, directory, child, "25"])));

  const cache = createToolCache({ directory });
  const servers = children.flatMap((child) => Array.from({ length: 25 }, (_, index) => `server-${child}-${index}`));
  const found = await cache.getMany(servers.map((server) => ({ server, config: { command: "node" } })));
  expect(found.filter((item) => item?.tools.length === 20)).toHaveLength(100);
  expect((await cache.get("shared", { command: "node" }))?.tools).toHaveLength(20);
  expect(readdirSync(directory)).toHaveLength(101);
});

/** Makes a TypeScript program runnable by every supported Node. */
async function bundle(input: string): Promise<string> {
  const file = root.file("program.mjs");
  await build({
    input,
    platform: "node",
    external: ["keyv"],
    resolve: { conditionNames: ["@toolgate/source", "node", "import"] },
    output: { file, format: "esm", codeSplitting: false },
    logLevel: "silent",
  });
  return file;
}

function collecting(warnings: string[]) {
  return { debug() {}, info() {}, warn: (message: string) => void warnings.push(message), error() {} };
}
