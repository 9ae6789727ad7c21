import { isRecord, messageOf } from "@toolgate/contracts";
import type { DiscoveryWarning, MaybePromise, SourceLevel } from "@toolgate/contracts";

import type { CapabilityProvider, LoadContext, ProviderItem, ProviderResult, SourceFile } from "./capability.ts";
import { pathExists } from "./config-file.ts";
import type { EntryRules } from "./convert-entry.ts";
import { readDocument } from "./document.ts";
import type { ConfigDocument } from "./document.ts";
import { createServerItem } from "./entry-item.ts";
import type { EntryHook } from "./entry-item.ts";
import type { ExpansionRules, ReferenceForm } from "./interpolate.ts";
import type { ConfigFormat } from "./parse-config.ts";
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
  /** @default "mcpServers" */
  servers?: ServersLocator;
  entry?: EntryRules;
  /** The references that the client expands. @default none */
  references?: readonly ReferenceForm[];
  /** What an unset environment variable becomes. @default "literal" */
  unset?: ExpansionRules["unset"];
  /** Changes an entry into the common form before it is converted; for what {@link EntryRules} cannot say. */
  prepare?: EntryHook;
}

/** A file with rules of its own. */
export interface FileLocation extends FileRules {
  /** Absolute; for project files relative to the project folder, with `/`. */
  path: string;
  /** @default by the extension of the path */
  format?: ConfigFormat;
}

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
  readonly warn: (message: string, server?: string) => void;
}

/** Where a client keeps its files. Paths in functions are made of {@link Places}, so that every platform can be tested. */
export interface FileLocations {
  user?(places: Places): readonly (string | FileLocation)[];
  /** Relative to a project folder; looked for in each one up to the root of the repository, the nearest wins. */
  project?: readonly (string | FileLocation)[];
  system?(places: Places): readonly (string | FileLocation)[];
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
    load: (context) => loadFiles(options, context),
    files: (context) => listFiles(options, context),
  };
}

/** A file at its place. */
export interface LocatedFile extends FileLocation {
  level: SourceLevel;
  projectDirectory?: string;
}

/** All files of a client, in the order in which they are read. Paths alone; whether they exist is not asked. */
export function locateFiles(
  options: Pick<FileProviderOptions, "files">,
  places: Places,
  folders: readonly string[],
): LocatedFile[] {
  const { project = [] } = options.files;
  const located: LocatedFile[] = [
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
  return located.filter(({ path }) => !paths.has(path) && paths.add(path));
}

function toLocation(file: string | FileLocation): FileLocation {
  return typeof file === "string" ? { path: file } : file;
}

function listFiles(options: FileProviderOptions, context: LoadContext): SourceFile[] {
  const places = createPlaces(context);
  const folders = findProjectFolders(context);
  const files = [...locateFiles(options, places, folders), ...(options.furtherFiles?.(places, folders) ?? [])];
  return files.map(({ path, level }) => ({ path, level, exists: pathExists(path) }));
}

async function loadFiles(options: FileProviderOptions, context: LoadContext): Promise<ProviderResult<MCPServerItem>> {
  const places = createPlaces(context);
  const projectFolders = findProjectFolders(context);
  const warnings: DiscoveryWarning[] = [];
  const files = locateFiles(options, places, projectFolders);
  const documents = await Promise.all(files.map((file) => readDocument(context, file.path, file.format)));
  const identities = new Set<string>();
  const loads: Promise<ServerProviderItem[]>[] = [];
  for (const [index, file] of files.entries()) {
    const document = documents[index];
    if (document === undefined || document.state === "absent") continue;
    if (document.state === "parsed") {
      if (identities.has(document.identity)) continue;
      identities.add(document.identity);
    }
    const scope = { file, rules: { ...options, ...file }, context, places, projectFolders, warnings };
    loads.push(readServers(document, scope));
  }
  const items = (await Promise.all(loads)).flat();
  const finished = (await options.finish?.(items, finishTools({ context, places, projectFolders, warnings }))) ?? items;
  return { items: finished, warnings };
}

interface DocumentScope extends Pick<FinishTools, "context" | "places" | "projectFolders"> {
  file: LocatedFile;
  rules: FileRules;
  warnings: DiscoveryWarning[];
}

async function readServers(document: ConfigDocument, scope: DocumentScope): Promise<ServerProviderItem[]> {
  const { file, rules, warnings, context, places, projectFolders } = scope;
  const { path, level, projectDirectory } = file;
  if (document.state === "unusable") warnings.push(document.warning);
  if (document.state !== "parsed") return [];
  const warn = (message: string, server?: string): void => {
    warnings.push(server === undefined ? { path, message } : { path, message, server });
  };
  // A file that holds nothing but `null` or comments is an empty one.
  if (document.value === null) return [];
  if (!isRecord(document.value)) {
    warn("The file holds no object of settings.");
    return [];
  }
  const fileScope: FileScope = {
    path,
    level,
    ...(projectDirectory === undefined ? {} : { projectDirectory }),
    places,
    projectFolders,
    document: document.value,
    warn,
  };
  let groups: readonly ServerGroup[];
  try {
    groups = findGroups(document.value, rules.servers ?? "mcpServers", fileScope);
  } catch (error) {
    warn(`The servers of the file cannot be found: ${messageOf(error)}`);
    return [];
  }
  const entries = groups.flatMap((group) => listEntries(group, fileScope).map((entry) => ({ ...entry, group })));
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
  return items.filter((item) => item !== undefined);
}

/** The servers of a document. What a client's own locator throws, this throws. */
export function findGroups(
  document: Record<string, unknown>,
  locator: ServersLocator,
  scope: FileScope,
): readonly ServerGroup[] {
  if (typeof locator === "function") return locator(document, scope);
  return [{ servers: readPath(document, typeof locator === "string" ? [locator] : locator) }];
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
