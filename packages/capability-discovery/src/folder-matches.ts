import { readdirSync } from "node:fs";

import { pathExists } from "./config-file.ts";
import { joinPath } from "./places.ts";

/** Most files that one pattern stands for. They are opened all at once, and real folders have a handful. */
export const MAX_MATCHES: number = 100;

/** What a pattern stands for. */
export interface FolderMatches {
  /** In the order of their names; the pattern's own path when nothing matches, where no such file is. */
  paths: string[];
  /** Matches beyond {@link MAX_MATCHES}, which are left out. */
  omitted: number;
}

/**
 * Finds what a pattern stands for below a folder. The folder is listed only when it exists.
 *
 * @param pattern - Segments joined with `/`, the first of which has one `*` for any text, for example `*.yaml`.
 */
export function listMatches(folder: string, pattern: string): FolderMatches {
  const [first = "", ...rest] = pattern.split("/");
  const [start = "", end = ""] = first.split("*");
  const names = listNames(folder).filter(
    (name) => name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end),
  );
  const used = names.length === 0 ? [first] : names.slice(0, MAX_MATCHES);
  return {
    paths: used.map((name) => joinPath(folder, name, ...rest)),
    omitted: Math.max(0, names.length - MAX_MATCHES),
  };
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
