import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { findWithin } from "../../native-tools/path-scope.ts";
import { createIgnoreTest } from "../../native-tools/walk-files.ts";

/**
 * What a path may become: entries of the folder that is typed so far, folders with a slash at their end. What `.gitignore`
 * leaves out is not there, nor what begins with a dot unless that is typed.
 */
export async function completePath(cwd: string, typed: string): Promise<string[]> {
  const split = typed.lastIndexOf("/") + 1;
  const [place, begin] = [typed.slice(0, split), typed.slice(split)];
  const folder = await findWithin(cwd, place === "" ? "." : place);
  if (folder === undefined) return [];
  try {
    const [entries, isIgnored] = await Promise.all([
      readdir(folder, { withFileTypes: true }),
      createIgnoreTest(folder),
    ]);
    return entries
      .filter(({ name }) => name.startsWith(begin) && (begin !== "" || !name.startsWith(".")))
      .filter((entry) => !isIgnored(join(folder, entry.name), entry.isDirectory()))
      .map((entry) => `${place}${entry.name}${entry.isDirectory() ? "/" : ""}`)
      .toSorted();
  } catch {
    return [];
  }
}
