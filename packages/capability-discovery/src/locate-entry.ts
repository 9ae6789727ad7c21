import { isDeepStrictEqual } from "node:util";

import type { DiscoveryWarning } from "@toolgate/contracts";
import type { Node } from "jsonc-parser";

import { readConfigFile } from "./config-file.ts";
import { formatOf, positionAt, toValue } from "./parse-config.ts";
import type { ConfigFormat, ConfigParser } from "./parse-config.ts";

/** An entry whose place is wanted. */
export interface EntryLocation {
  /** Absolute path of the file. */
  path: string;
  /** @default by the extension of the path */
  format?: ConfigFormat;
  name: string;
  /** The entry as it stands in the file: of several entries of one name it tells which. */
  definition: unknown;
  /** Keys that lead to a value within the entry. @default the entry itself */
  field?: readonly (string | number)[];
}

/** A place in a file, both 1-based. */
export interface EntryPlace {
  line: number;
  column: number;
}

// Larger files are histories that hold servers too; parsing them for a line number would take longer than all the rest.
const LARGEST_TEXT = 2 * 1024 * 1024;

/**
 * Finds the line of an entry in a JSON file. Reads and parses the file anew, so this is for what has gone wrong only.
 * `undefined` for other formats, large files and entries that are not found. Never rejects.
 */
export async function locateEntry(location: EntryLocation): Promise<EntryPlace | undefined> {
  const locate = await openLocator(location.path, location.format);
  return locate?.(location);
}

/**
 * Adds the place to those warnings that name an entry or a wrong key and have no place yet.
 *
 * @param warnings - Warnings about one file.
 * @param entries - All entries of that file.
 */
export async function addPlaces(
  warnings: readonly DiscoveryWarning[],
  {
    path,
    format,
    entries,
  }: { path: string; format?: ConfigFormat | ConfigParser; entries: readonly { name: string; raw: unknown }[] },
): Promise<DiscoveryWarning[]> {
  if (!warnings.some(lacksPlace)) return [...warnings];
  const locate = await openLocator(path, format);
  if (locate === undefined) return [...warnings];
  return warnings.map((warning) => {
    if (!lacksPlace(warning)) return warning;
    if (warning.kind === "misplaced-servers") return { ...warning, ...locateKey(locate, warning.subject ?? "") };
    const entry = entries.find(({ name }) => name === warning.server);
    const place = entry === undefined ? undefined : locate({ name: entry.name, definition: entry.raw });
    return place === undefined ? warning : { ...warning, ...place };
  });
}

function lacksPlace({ server, kind, line }: DiscoveryWarning): boolean {
  return line === undefined && (server !== undefined || kind === "misplaced-servers");
}

/** The nearest property of that name; `mcp.servers` may be one key or one within another. */
function locateKey(locate: Locator, key: string): EntryPlace | undefined {
  const [section = key] = key.split(".");
  return locate({ name: key }) ?? locate({ name: section });
}

/** Without a definition the nearest value of that name is found. */
type Locator = (entry: Pick<EntryLocation, "name" | "field"> & { definition?: unknown }) => EntryPlace | undefined;

async function openLocator(
  path: string,
  format: ConfigFormat | ConfigParser = formatOf(path),
): Promise<Locator | undefined> {
  if (format !== "json" && format !== "any") return undefined;
  const file = await readConfigFile(path);
  if (file.state !== "read" || file.text.length > LARGEST_TEXT) return undefined;
  const { text } = file;
  const { findNodeAtLocation, parseTree } = await import("jsonc-parser");
  // Parser and comparison are recursive: absurd nesting ends them, and has no line.
  const root = withoutOverflow(() => parseTree(text, [], { allowTrailingComma: true }));
  return ({ name, definition, field = [] }) =>
    withoutOverflow(() => {
      const isWanted = (node: Node): boolean =>
        isNamed(node, name) && (definition === undefined || isDeepStrictEqual(toValue(node), definition));
      const entry = findEntry(root, isWanted);
      const target = entry === undefined ? undefined : (findNodeAtLocation(entry, [...field]) ?? entry);
      if (target === undefined) return undefined;
      // The key is what people look for, not the brace behind it.
      return positionAt(text, target.parent?.type === "property" ? target.parent.offset : target.offset);
    });
}

function withoutOverflow<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The first node that is wanted, nearest to the root. */
function findEntry(root: Node | undefined, isWanted: (node: Node) => boolean): Node | undefined {
  const pending = root === undefined ? [] : [root];
  for (const node of pending) {
    if (isWanted(node)) return node;
    pending.push(...(node.children ?? []));
  }
  return undefined;
}

/** Whether a node is the value of a property of that name, or an object of a list that has it as its `name`. */
function isNamed(node: Node, name: string): boolean {
  if (node.parent?.type === "property")
    return node.parent.children?.[1] === node && node.parent.children[0]?.value === name;
  return (
    node.parent?.type === "array" &&
    (node.children ?? []).some(({ children: [key, value] = [] }) => key?.value === "name" && value?.value === name)
  );
}
