import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";

import type { Ignore } from "ignore";

/** Never of interest, whether a `.gitignore` says so or not. */
const ALWAYS_LEFT_OUT = new Set([".git", ".hg", ".svn"]);

/** The rules of one `.gitignore`, for what is below its folder. */
interface IgnoreRules {
  folder: string;
  rules: Ignore;
}

/** Tells what is left out of listings. */
export type IgnoreTest = (path: string, isDirectory: boolean) => boolean;

/**
 * Gives the files below a folder, sorted by name, without those that a `.gitignore` there, further down or further up
 * leaves out. Symbolic links to folders are not followed; what cannot be read is passed over.
 */
export async function* walkFiles(folder: string, signal?: AbortSignal): AsyncGenerator<string, void, undefined> {
  yield* walk(folder, await readRulesAbove(folder), signal);
}

/** Makes the test for the entries of one folder. */
export async function createIgnoreTest(folder: string): Promise<IgnoreTest> {
  const rules = [...(await readRulesAbove(folder)), ...(await readRules(folder))];
  return (path, isDirectory) => isLeftOut(path, isDirectory, rules);
}

async function* walk(
  folder: string,
  rulesAbove: readonly IgnoreRules[],
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void, undefined> {
  signal?.throwIfAborted();
  const [entries, ownRules] = await Promise.all([readEntries(folder), readRules(folder)]);
  const rules = [...rulesAbove, ...ownRules];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (isLeftOut(path, entry.isDirectory(), rules)) continue;
    if (entry.isDirectory()) yield* walk(path, rules, signal);
    else if (entry.isFile() || (entry.isSymbolicLink() && (await isFile(path)))) yield path;
  }
}

async function readEntries(folder: string): Promise<Dirent[]> {
  try {
    return (await readdir(folder, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** What is nearest to a path decides, as in git. */
function isLeftOut(path: string, isDirectory: boolean, rules: readonly IgnoreRules[]): boolean {
  if (ALWAYS_LEFT_OUT.has(path.slice(path.lastIndexOf(sep) + 1))) return true;
  for (const { folder, rules: own } of rules.toReversed()) {
    const way = relative(folder, path).split(sep).join("/");
    const { ignored, unignored } = own.test(isDirectory ? `${way}/` : way);
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}

/** The rules of the folders above, up to the root of the repository; none outside of one. */
async function readRulesAbove(folder: string): Promise<IgnoreRules[]> {
  const folders: string[] = [];
  let current = folder;
  while (!(await isRepository(current))) {
    const parent = dirname(current);
    if (parent === current) return [];
    folders.unshift(parent);
    current = parent;
  }
  return (await Promise.all(folders.map(readRules))).flat();
}

async function isRepository(folder: string): Promise<boolean> {
  return (await readEntries(folder)).some(({ name }) => name === ".git");
}

async function readRules(folder: string): Promise<IgnoreRules[]> {
  try {
    const text = await readFile(join(folder, ".gitignore"), "utf8");
    const { default: createIgnore } = await import("ignore");
    // Git compares as the file system does; letters count unless a repository says otherwise.
    return [{ folder, rules: createIgnore({ ignorecase: false }).add(text) }];
  } catch {
    return [];
  }
}
