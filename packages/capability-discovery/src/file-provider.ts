import { isRecord, messageOf } from "@toolgate/contracts";
import type { DiscoveryWarning, MaybePromise, SourceLevel } from "@toolgate/contracts";

import type { CapabilityProvider, LoadContext, ProviderItem, ProviderResult, SourceFile } from "./capability.ts";
import { pathExists } from "./config-file.ts";
import type { EntryRules } from "./convert-entry.ts";
import { parseDocument, readDocument } from "./document.ts";
import type { ConfigDocument } from "./document.ts";
import { createServerItem } from "./entry-item.ts";
import type { EntryHook } from "./entry-item.ts";
import { listMatches } from "./folder-matches.ts";
import type { ExpansionRules, ReferenceForm } from "./interpolate.ts";
import { addPlaces } from "./locate-entry.ts";
import { findMisplacedServers } from "./misplaced-servers.ts";
import type { ConfigFormat, ConfigParser } from "./parse-config.ts";
import { baseName, createPlaces, findProjectFolders, joinPath } from "./places.ts";
import type { Places } from "./places.ts";
import type { MCPServerItem } from "./server-item.ts";
import type { WriteRules } from "./write-rules.ts";

/** Servers that belong together within a document. */
export interface ServerGroup {
  /** A map of names to entries, or a list of entries with a `name`. */
  servers: unknown;
  /** What lies between the file and the entries, for example `projects["/home/user/app"]`. */
  origin?: string;
  /** Marks the user's own entries for one project. */
  scope?: "local";
  /** Keys that lead to the servers; with them, servers under a wrong key beside it are noticed. */
  keys?: readonly string[];
}

/**
 * Where the servers stand in a document: a key, a path of keys, or a function for documents that need more.
 */
export type ServersLocator =
  | string
  | readonly string[]
  | ((document: Record<string, unknown>, scope: FileScope) => readonly ServerGroup[]);

/** How the entries of a file are read. */
export interface FileRules {
  /** How the file is parsed: one of the built-in formats, or a parser. @default by the extension of the path */
  format?: ConfigFormat | ConfigParser;
  /** @default "mcpServers" */
  servers?: ServersLocator;
  entry?: EntryRules;
  /** The references that the client expands. @default none */
  references?: readonly ReferenceForm[];
  /** What it expands beside them on Windows. @default none */
  windowsReferences?: readonly ReferenceForm[];
  /** What an unset environment variable becomes. @default "literal" */
  unset?: ExpansionRules["unset"];
  /** Changes an entry into the common form before it is converted; for what {@link EntryRules} cannot say. */
  prepare?: EntryHook;
}

/** A file with rules of its own. */
export interface FileLocation extends FileRules {
  /** Absolute; for project files relative to the project folder, with `/`. */
  path: string;
  /**
   * Makes `path` a folder and this the pattern of the files below it: segments joined with `/`, the first of which has
   * one `*`, for example `*.yaml`. All matches are read. @default `path` is the file
   */
  below?: string;
}

/** What a warning may say beside its message. */
export type WarningDetails = Pick<DiscoveryWarning, "kind" | "subject" | "expected">;

/** The place that a document came from. */
export interface FileScope {
  path: string;
  level: SourceLevel;
  /** Folder that the file's project is in; only at the level `project`. */
  projectDirectory?: string;
  places: Places;
  /** From the working directory up to the root of the repository. */
  projectFolders: readonly string[];
  document: Record<string, unknown>;
  readonly warn: (message: string, server?: string, details?: WarningDetails) => void;
}

/** Where a client keeps its files. Paths in functions are made of {@link Places}, so that every platform can be tested. */
export interface FileLocations {
  user?(places: Places): readonly (string | FileLocation)[];
  /** Relative to a project folder; looked for in each one up to the root of the repository, the nearest wins. */
  project?: readonly (string | FileLocation)[];
  system?(places: Places): readonly (string | FileLocation)[];
  /** Environment variables whose value is a whole document in JSON; it wins over every file. */
  variables?: readonly string[];
}

/** What {@link FileProviderOptions.finish} may use. */
export interface FinishTools {
  context: LoadContext;
  places: Places;
  projectFolders: readonly string[];
  /** A further file; `undefined` when it is absent or no object. One that cannot be used becomes a warning. */
  readonly read: (path: string) => Promise<Record<string, unknown> | undefined>;
  readonly warn: (warning: DiscoveryWarning) => void;
}

/** Describes a provider that reads files. */
export interface FileProviderOptions extends FileRules {
  id: string;
  /** The product's own name. */
  displayName: string;
  priority: number;
  files: FileLocations;
  /** Files beside those with servers that {@link FileProviderOptions.finish} reads; for the listing of sources. */
  furtherFiles?(places: Places, projectFolders: readonly string[]): readonly Omit<SourceFile, "exists">[];
  /** How entries are written. Absent: files of this client are only read. */
  writing?: WriteRules;
  /** Last word on all items, for example to disable those that the client's own approvals refuse. */
  finish?(items: ServerProviderItem[], tools: FinishTools): MaybePromise<ServerProviderItem[]>;
}

/** An item with its origin, as file providers return it. */
export type ServerProviderItem = ProviderItem<MCPServerItem>;

/** A provider of files, with the description that it was made from. */
export interface FileProvider extends CapabilityProvider<MCPServerItem> {
  readonly description: FileProviderOptions;
}

/** Whether a provider was made by {@link createFileProvider}. */
export function isFileProvider(provider: CapabilityProvider<MCPServerItem>): provider is FileProvider {
  return "description" in provider;
}

/**
 * Makes a provider from a description of a client's files: the way to add a client. It reads only files that exist, all
 * at once; a file or an entry that cannot be used becomes a warning and takes nothing else with it. Two paths to one
 * physical file are one file, with the level of the user before that of the project.
 */
export function createFileProvider(options: FileProviderOptions): FileProvider {
  return {
    description: options,
    id: options.id,
    displayName: options.displayName,
    priority: options.priority,
    references: listReferences(options),
    load: (context) => loadFiles(options, context),
    files: (context) => listFiles(options, context),
  };
}

/** The forms of all files; those of one file usually are those of every one. */
function listReferences({ references = [], files: { project = [] } }: FileProviderOptions): ReferenceForm[] {
  return [...new Set([...references, ...project.flatMap((file) => toLocation(file).references ?? [])])];
}

/** A file at its place. */
export interface LocatedFile extends FileLocation {
  level: SourceLevel;
  projectDirectory?: string;
  /** The document itself, when it stands in an environment variable; `path` is a label then. */
  text?: string;
  /** How many further files of the same folder are left out. */
  omitted?: number;
}

/** All files of a client, in the order in which they are read. Whether they exist is asked for those of folders only. */
export function locateFiles(
  options: Pick<FileProviderOptions, "files">,
  places: Places,
  folders: readonly string[],
): LocatedFile[] {
  const { project = [], variables = [] } = options.files;
  const located: LocatedFile[] = [
    ...variables.flatMap((name) => {
      const text = places.variable(name);
      return text === undefined ? [] : [{ path: `<${name}>`, level: "runtime" as const, text }];
    }),
    ...(options.files.user?.(places) ?? []).map((file) => ({ ...toLocation(file), level: "user" as const })),
    ...(options.files.system?.(places) ?? []).map((file) => ({ ...toLocation(file), level: "system" as const })),
    ...folders.flatMap((projectDirectory) =>
      project.map(toLocation).map((file) => ({
        ...file,
        path: joinPath(projectDirectory, ...file.path.split("/")),
        level: "project" as const,
        projectDirectory,
      })),
    ),
  ];
  const paths = new Set<string>();
  return located.flatMap(expandLocation).filter(({ path }) => !paths.has(path) && paths.add(path));
}

function toLocation(file: string | FileLocation): FileLocation {
  return typeof file === "string" ? { path: file } : file;
}

function expandLocation(file: LocatedFile): LocatedFile[] {
  if (file.below === undefined) return [file];
  const { paths, omitted } = listMatches(file.path, file.below);
  return paths.map((path, index) => (index === 0 ? { ...file, path, omitted } : { ...file, path }));
}

function listFiles(options: FileProviderOptions, context: LoadContext): SourceFile[] {
  const places = createPlaces(context);
  const folders = findProjectFolders(context);
  const files = [...locateFiles(options, places, folders), ...(options.furtherFiles?.(places, folders) ?? [])];
  return files.map(({ path, level, ...file }) => ({ path, level, exists: "text" in file || pathExists(path) }));
}

async function loadFiles(options: FileProviderOptions, context: LoadContext): Promise<ProviderResult<MCPServerItem>> {
  const places = createPlaces(context);
  const projectFolders = findProjectFolders(context);
  const warnings: DiscoveryWarning[] = [];
  const files = locateFiles(options, places, projectFolders);
  const documents = await Promise.all(
    files.map(({ path, format = options.format, text }) =>
      text === undefined ? readDocument(context, path, format) : parseDocument(path, { text, identity: path }, "json"),
    ),
  );
  for (const { path, omitted = 0 } of files) {
    if (omitted > 0) warnings.push({ path, message: `${omitted} more files of its folder are not read: too many.` });
  }
  const identities = new Set<string>();
  const loads: Promise<ReadFile>[] = [];
  for (const [index, file] of files.entries()) {
    const document = documents[index];
    if (document === undefined || document.state === "absent") continue;
    if (document.state === "parsed") {
      if (identities.has(document.identity)) continue;
      identities.add(document.identity);
    }
    const rules = { ...options, ...file };
    const { displayName } = options;
    loads.push(readServers(document, { file, rules, displayName, context, places, projectFolders }));
  }
  const read = await Promise.all(loads);
  // In the order of the files, whichever was done first.
  warnings.push(...read.flatMap((file) => file.warnings));
  const items = read.flatMap((file) => file.items);
  const finished = (await options.finish?.(items, finishTools({ context, places, projectFolders, warnings }))) ?? items;
  return { items: finished, warnings };
}

interface DocumentScope extends Pick<FinishTools, "context" | "places" | "projectFolders"> {
  file: LocatedFile;
  rules: FileRules;
  displayName: string;
}

interface ReadFile {
  items: ServerProviderItem[];
  warnings: DiscoveryWarning[];
}

async function readServers(document: ConfigDocument, scope: DocumentScope): Promise<ReadFile> {
  if (document.state === "unusable") return { items: [], warnings: [document.warning] };
  if (document.state !== "parsed") return { items: [], warnings: [] };
  const { path } = scope.file;
  const { format } = scope.rules;
  const warnings: DiscoveryWarning[] = [];
  const warn: FileScope["warn"] = (message, server, details) => {
    warnings.push({ path, message, ...(server === undefined ? {} : { server }), ...details });
  };
  const { items, entries } = await readEntries(document.value, warn, scope);
  const file = { path, entries, ...(format === undefined ? {} : { format }) };
  return { items, warnings: await addPlaces(warnings, file) };
}

interface ReadEntries {
  items: ServerProviderItem[];
  entries: readonly { name: string; raw: unknown }[];
}

const NO_ENTRIES: ReadEntries = { items: [], entries: [] };

async function readEntries(document: unknown, warn: FileScope["warn"], scope: DocumentScope): Promise<ReadEntries> {
  const { file, rules, displayName, context, places, projectFolders } = scope;
  const { path, level, projectDirectory } = file;
  // A file that holds nothing but `null` or comments is an empty one.
  if (document === null) return NO_ENTRIES;
  if (!isRecord(document)) {
    warn("The file holds no object of settings.");
    return NO_ENTRIES;
  }
  const fileScope: FileScope = {
    path,
    level,
    ...(projectDirectory === undefined ? {} : { projectDirectory }),
    places,
    projectFolders,
    document,
    warn,
  };
  let groups: readonly ServerGroup[];
  try {
    groups = findGroups(document, rules.servers ?? "mcpServers", fileScope);
  } catch (error) {
    warn(`The servers of the file cannot be found: ${messageOf(error)}`);
    return NO_ENTRIES;
  }
  const entries = groups.flatMap((group) => listEntries(group, fileScope).map((entry) => ({ ...entry, group })));
  if (entries.length === 0) warnOfMisplaced(groups, fileScope, displayName);
  const items = await Promise.all(
    entries.map(async ({ name, raw, group }) => {
      try {
        return await createServerItem({ name, raw, group, rules, scope: fileScope, context });
      } catch (error) {
        warn(`Server ${JSON.stringify(name)} cannot be understood: ${messageOf(error)}`, name);
        return undefined;
      }
    }),
  );
  return { items: items.filter((item) => item !== undefined), entries };
}

/** Settings of VS Code, in which several extensions and the editor itself have servers under keys of their own. */
const SHARED_SETTINGS = /[\\/](?:\.vscode|User)[\\/]settings\.jsonc?$/;

function warnOfMisplaced(groups: readonly ServerGroup[], scope: FileScope, client: string): void {
  const { path, document, warn } = scope;
  if (SHARED_SETTINGS.test(path)) return;
  for (const { keys } of groups) {
    const expected = keys?.at(-1);
    const container = expected === undefined ? undefined : readPath(document, keys?.slice(0, -1) ?? []);
    if (expected === undefined || !isRecord(container)) continue;
    const misplaced = findMisplacedServers(container, expected);
    if (misplaced === undefined) continue;
    const { found } = misplaced;
    const message = `The file has servers under ${JSON.stringify(found)}, but ${client} reads ${JSON.stringify(expected)}; they are not used.`;
    warn(message, undefined, { kind: "misplaced-servers", subject: found, expected });
  }
}

/** The servers of a document. What a client's own locator throws, this throws. */
export function findGroups(
  document: Record<string, unknown>,
  locator: ServersLocator,
  scope: FileScope,
): readonly ServerGroup[] {
  if (typeof locator === "function") return locator(document, scope);
  const keys = typeof locator === "string" ? [locator] : locator;
  return [{ servers: readPath(document, keys), keys }];
}

/** The value at a path of keys, own properties only. */
export function readPath(document: unknown, keys: readonly string[]): unknown {
  let value = document;
  for (const key of keys) {
    if (!isRecord(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** The entries of a group. What is none becomes a warning. */
export function listEntries({ servers }: ServerGroup, scope: FileScope): { name: string; raw: unknown }[] {
  if (servers === undefined || servers === null) return [];
  if (isRecord(servers)) return Object.entries(servers).map(([name, raw]) => ({ name, raw }));
  if (!Array.isArray(servers)) {
    scope.warn("The servers of the file are neither an object nor a list.");
    return [];
  }
  return servers.flatMap((raw: unknown, index) => {
    const name = isRecord(raw) && Object.hasOwn(raw, "name") ? raw["name"] : undefined;
    if (typeof name === "string") return [{ name, raw }];
    scope.warn(`Entry ${index + 1} of ${JSON.stringify(baseName(scope.path))} has no name and is left out.`);
    return [];
  });
}

function finishTools(
  scope: Pick<FinishTools, "context" | "places" | "projectFolders"> & { warnings: DiscoveryWarning[] },
): FinishTools {
  const { warnings, ...tools } = scope;
  return {
    ...tools,
    warn: (warning) => warnings.push(warning),
    read: async (path) => {
      const document = await readDocument(scope.context, path);
      if (document.state === "unusable") warnings.push(document.warning);
      return document.state === "parsed" && isRecord(document.value) ? document.value : undefined;
    },
  };
}
