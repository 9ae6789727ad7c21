import { isRecord } from "@toolgate/contracts";
import type { DiscoveryWarning, SourceMeta } from "@toolgate/contracts";

import type { LoadContext } from "./capability.ts";
import { readDocument } from "./document.ts";
import { findGroups, listEntries, locateFiles } from "./file-provider.ts";
import type { FileProvider, FileRules, FileScope, LocatedFile, ServerGroup } from "./file-provider.ts";
import { formatOf } from "./parse-config.ts";
import { createPlaces, findProjectFolders } from "./places.ts";

/** An entry where it is declared. */
export interface DeclaredEntry {
  name: string;
  /** As it stands in the file. */
  raw: unknown;
  file: LocatedFile;
  rules: FileRules;
  scope: FileScope;
  /** Keys that lead to the map of servers; `undefined` when they are a list. */
  keys?: readonly string[];
  /** What its reading warns of. */
  warnings: DiscoveryWarning[];
}

/** Whether a file can be edited: JSON with or without comments. */
export function isJsonFile({ path, format = formatOf(path) }: Pick<LocatedFile, "path" | "format">): boolean {
  return format === "json";
}

/**
 * Finds the entry that an item came from, in its file as it is now.
 *
 * @returns `undefined` when the file does not declare it
 */
export async function findDeclaredEntry(
  provider: FileProvider,
  name: string,
  { source, context }: { source: SourceMeta; context: LoadContext },
): Promise<DeclaredEntry | undefined> {
  const { description } = provider;
  const places = createPlaces(context);
  const projectFolders = findProjectFolders(context);
  const file = locateFiles(description, places, projectFolders).find(({ path }) => path === source.path);
  if (file === undefined) return undefined;
  const document = await readDocument(context, file.path, file.format);
  if (document.state !== "parsed" || !isRecord(document.value)) return undefined;
  const { path, level, projectDirectory } = file;
  const warnings: DiscoveryWarning[] = [];
  const scope: FileScope = {
    path,
    level,
    ...(projectDirectory === undefined ? {} : { projectDirectory }),
    places,
    projectFolders,
    document: document.value,
    warn: (message, server) => warnings.push({ path, message, ...(server === undefined ? {} : { server }) }),
  };
  const rules: FileRules = { ...description, ...file };
  const groups = findGroups(document.value, rules.servers ?? "mcpServers", scope);
  const found = groups
    .filter(({ origin }) => origin === source.origin)
    .flatMap((group) => listEntries(group, scope).map((entry) => ({ ...entry, group })))
    .find((entry) => entry.name === name);
  if (found === undefined) return undefined;
  const keys = findKeys(document.value, found.group);
  return { name, raw: found.raw, file, rules, scope, warnings, ...(keys === undefined ? {} : { keys }) };
}

/** Deepest place of a map of servers that is looked for; real ones have three keys. */
const MAX_KEYS = 5;

/** The way to a group's map within the document: the map itself is there, not a copy. */
function findKeys(document: Record<string, unknown>, { servers }: ServerGroup): readonly string[] | undefined {
  let level: { value: Record<string, unknown>; keys: readonly string[] }[] = [{ value: document, keys: [] }];
  for (let depth = 0; depth < MAX_KEYS && level.length > 0; depth += 1) {
    const next: typeof level = [];
    for (const { value, keys } of level) {
      for (const [key, child] of Object.entries(value)) {
        if (!isRecord(child)) continue;
        if (child === servers) return [...keys, key];
        next.push({ value: child, keys: [...keys, key] });
      }
    }
    level = next;
  }
  return undefined;
}
