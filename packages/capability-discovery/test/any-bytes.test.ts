import { join } from "node:path";

import { assert, asyncProperty, constantFrom, json, nat, oneof, string, tuple, uint8Array } from "fast-check";
import { expect, test } from "vitest";

import { sourceOf } from "../src/capability.ts";
import { loadNativeSettings, mcpProviders } from "../src/index.ts";
import type { CapabilityResult, MCPServerItem } from "../src/index.ts";
import { readWholeCorpus } from "./support/corpus.ts";
import { loadServers, makeFolders, writeFiles } from "./support/temporary-folder.ts";

const corpus = readWholeCorpus();
const FILES: Record<string, string> = Object.fromEntries(
  (["home", "project"] as const).flatMap((place) =>
    Object.entries(corpus[place]).map(([path, text]) => [`${place}/${path}`, text]),
  ),
);
const PATHS = Object.keys(FILES);

const serverMap = tuple(
  constantFrom("mcpServers", "servers", "mcp_servers", "projects", "toolgate", "inputs"),
  json(),
).map(
  ([key, value]) =>
    `{"${key}":{"s":${value},"__proto__":${value},"t":{"command":${value},"args":${value},"env":${value}},"u":{"type":"http","url":${value},"headers":${value}}}}`,
);
const yamlText = tuple(string(), string()).map(([a, b]) => `mcpServers:\n  ? ${a}\n  : &a [*a, ${b}]\n`);
const anything = oneof(
  uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  string({ unit: "binary", maxLength: 300 }),
  json(),
  serverMap,
  yamlText,
);
/** A file, and what somebody or something makes of it: other bytes, or its own text with a piece replaced. */
const damage = oneof(
  tuple(constantFrom(...PATHS), anything),
  tuple(constantFrom(...PATHS), nat(2000), nat(40), string({ unit: "binary", maxLength: 20 })).map(
    ([path, start, length, inserted]): [string, string] => {
      const text = FILES[path] ?? "";
      const from = text.length === 0 ? 0 : start % text.length;
      return [path, text.slice(0, from) + inserted + text.slice(from + length)];
    },
  ),
);

test("no bytes in any file make discovery fail or lose another file's servers", async () => {
  const folders = await makeFolders();
  await writeFiles(folders.root, FILES);
  const before = await loadServers(folders);
  const entries = [...before.items, ...before.shadowed];
  const all = entries.map(identityOf);
  const seen = new Set(entries.map((item) => sourceOf(item).provider));
  expect(seen).toEqual(new Set(mcpProviders.map(({ id }) => id)));
  await assert(
    asyncProperty(damage, async ([path, content]) => {
      await writeFiles(folders.root, { [path]: content });
      const result = await loadServers(folders);
      const found = new Set([...result.items, ...result.shadowed].map(identityOf));
      const damaged = join(folders.root, path);
      expect(all.filter((identity) => !identity.startsWith(`${damaged} `) && !found.has(identity))).toEqual([]);
      expect(result.warnings.filter(({ message }) => message.includes("could not be asked"))).toEqual([]);
      await loadNativeSettings({ cwd: folders.project, home: folders.home, env: {}, platform: "linux" });
      await writeFiles(folders.root, { [path]: FILES[path] });
    }),
    { numRuns: 400 },
  );
});

function identityOf(item: CapabilityResult<MCPServerItem>["items"][number]): string {
  const { path, origin = "" } = sourceOf(item);
  return `${path} ${origin} ${item.name}`;
}
