import { readdirSync } from "node:fs";

import { pathExists } from "./config-file.ts";
import { joinPath } from "./places.ts";

/**
 * The paths that a pattern stands for below a folder, in the order of their names. The folder is listed only when it
 * exists. Where nothing matches, the pattern itself stands for what was looked for: no such file is there.
 *
 * @param pattern - Segments joined with `/`, the first of which has one `*` for any text, for example `*.yaml`.
 */
export function listMatches(folder: string, pattern: string): string[] {
  const [first = "", ...rest] = pattern.split("/");
  const [start = "", end = ""] = first.split("*");
  const names = listNames(folder).filter(
    (name) => name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end),
  );
  return (names.length === 0 ? [first] : names).map((name) => joinPath(folder, name, ...rest));
}

function listNames(folder: string): string[] {
  if (!pathExists(folder)) return [];
  try {
    return readdirSync(folder).toSorted();
  } catch {
    // No folder, or one that may not be listed.
    return [];
  }
}
