import { isRecord } from "@toolgate/contracts";
import type { DiscoveryWarning, SourceMeta } from "@toolgate/contracts";

import type { LoadContext } from "./capability.ts";
import { parseDocument, readDocument } from "./document.ts";
import { findGroups, listEntries, locateFiles } from "./file-provider.ts";
import type { FileProvider, FileRules, FileScope, LocatedFile } from "./file-provider.ts";
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
  /** Keys that lead to the map of servers; `undefined` when it is no map of the file itself. */
  keys?: readonly string[];
  /** What its reading warns of. */
  warnings: DiscoveryWarning[];
}

/** Whether a client's file can be edited: JSON with or without comments, and no variable. */
export function isJsonFile({ description }: FileProvider, file: LocatedFile): boolean {
  return file.text === undefined && (file.format ?? description.format ?? formatOf(file.path)) === "json";
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
  const { format = description.format, text } = file;
  const document = await (text === undefined
    ? readDocument(context, file.path, format)
    : parseDocument(file.path, { text, identity: file.path }, "json"));
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
    warn: (message, server, details) =>
      warnings.push({ path, message, ...(server === undefined ? {} : { server }), ...details }),
  };
  const rules: FileRules = { ...description, ...file };
  const groups = findGroups(document.value, rules.servers ?? "mcpServers", scope);
  const found = groups
    .filter(({ origin }) => origin === source.origin)
    .flatMap((group) => listEntries(group, scope))
    .find((entry) => entry.name === name);
  if (found === undefined) return undefined;
  const keys = isRecord(found.raw) ? findKeys(document.value, name, found.raw) : undefined;
  return { name, raw: found.raw, file, rules, scope, warnings, ...(keys === undefined ? {} : { keys }) };
}

/** Deepest place of a map of servers that is looked for; real ones have three keys. */
const MAX_KEYS = 5;

/** The way to the map that holds an entry: the entry itself is there, not a copy. */
function findKeys(
  document: Record<string, unknown>,
  name: string,
  entry: Record<string, unknown>,
): readonly string[] | undefined {
  let level: { value: Record<string, unknown>; keys: readonly string[] }[] = [{ value: document, keys: [] }];
  for (let depth = 0; depth <= MAX_KEYS && level.length > 0; depth += 1) {
    const found = level.find(({ value }) => Object.hasOwn(value, name) && value[name] === entry);
    if (found !== undefined) return found.keys;
    level = level.flatMap(({ value, keys }) =>
      Object.entries(value).flatMap(([key, child]) =>
        isRecord(child) ? [{ value: child, keys: [...keys, key] }] : [],
      ),
    );
  }
  return undefined;
}
