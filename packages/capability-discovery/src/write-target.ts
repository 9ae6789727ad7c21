import { ToolgateError } from "@toolgate/contracts";
import type { MCPServerConfig, SourceMeta } from "@toolgate/contracts";

import type { CapabilityProvider, LoadContext } from "./capability.ts";
import { pathExists } from "./config-file.ts";
import { formsOf } from "./entry-item.ts";
import { isFileProvider, locateFiles } from "./file-provider.ts";
import type { FileProvider, FileRules, LocatedFile } from "./file-provider.ts";
import { findDeclaredEntry, isJsonFile } from "./find-entry.ts";
import type { ReferenceForm } from "./interpolate.ts";
import { createPlaces, findProjectFolders } from "./places.ts";
import { mcpProviders } from "./providers/builtin-providers.ts";
import type { MCPServerItem } from "./server-item.ts";
import { createUnexpandedEntry } from "./unexpanded-entry.ts";
import { writeEntry } from "./write-entry.ts";
import type { WritingClient } from "./write-entry.ts";
import type { WriteRules } from "./write-rules.ts";
import type { EnableServerOptions } from "./write-servers.ts";

/** Levels whose files may be written; the others belong to administrators or to nobody. */
export type WriteLevel = "user" | "project";

/** Where and for whom is written. */
export interface TargetOptions {
  context: LoadContext;
  /** @default all built-in ones */
  providers?: readonly CapabilityProvider<MCPServerItem>[];
}

/** Options of {@link findWriteTarget}. */
export interface WriteTargetOptions extends TargetOptions {
  level: WriteLevel;
}

/** A client's file to write to. It may be passed as the options of the writers, which then write as the client does. */
export interface WriteTarget extends EnableServerOptions {
  /** Id of the provider. */
  provider: string;
  /** The product's own name. */
  providerName: string;
  /** Absolute; the file need not exist. */
  path: string;
  level: WriteLevel;
  key: readonly string[];
  /**
   * Turns an entry into the client's form. Its references may be in the client's forms or in Toolgate's.
   *
   * @throws ToolgateError `CONFIG_INVALID` with everything that the client cannot say
   */
  shape(config: MCPServerConfig, name: string): Record<string, unknown>;
}

/** A client whose files can be written. */
export interface WritableProvider {
  id: string;
  displayName: string;
  /** The levels at which it has a file that can be written. */
  levels: WriteLevel[];
}

/** Forms that a person may type for any client. */
const TYPED_FORMS: readonly ReferenceForm[] = ["${NAME}", "${NAME:-default}", "${env:NAME}"];

/** The clients whose files can be written, in the order of the providers. Reads nothing but what exists. */
export function listWritableProviders({ context, providers = mcpProviders }: TargetOptions): WritableProvider[] {
  return providers.flatMap((provider) => {
    if (!isWritable(provider)) return [];
    const levels = (["user", "project"] as const).filter((level) => listTargets(provider, level, context).length > 0);
    const { id, displayName } = provider;
    return levels.length === 0 ? [] : [{ id, displayName, levels }];
  });
}

/**
 * Finds the file of a client that new servers go to: the first JSON file that exists, of project files the nearest one;
 * without any, the one that is read first, for projects at the root of the repository.
 *
 * @throws ToolgateError `CONFIG_INVALID` when there is no such client, or none that can be written at that level; the
 * message lists those that can
 */
export function findWriteTarget(providerId: string, options: WriteTargetOptions): WriteTarget {
  const { provider, file, key } = locateWriteTarget(providerId, options);
  const client = writingClientOf({ provider, file, key }, options.context);
  const entryForms = [...new Set([...TYPED_FORMS, ...client.forms])];
  return {
    provider: provider.id,
    providerName: provider.displayName,
    path: file.path,
    level: options.level,
    key,
    ...(client.rules.flag === undefined ? {} : { flag: client.rules.flag }),
    shape: (config, name) => writeEntry(name, createUnexpandedEntry(config, entryForms), client),
  };
}

/** Where an entry that exists can be edited. It may be passed as the options of the writers. */
export interface DeclaredPlace extends EnableServerOptions {
  path: string;
  key: readonly string[];
}

/**
 * Finds the place of an entry that was loaded, when its client's files can be written.
 *
 * @param name - Name of the server.
 * @param source - Where it came from.
 * @returns `undefined` when the file is only read, or does not declare the server any more; without `flag` when the
 * client cannot switch off an entry where it stands
 */
export async function findDeclaredPlace(
  name: string,
  source: SourceMeta,
  { context, providers = mcpProviders }: TargetOptions,
): Promise<DeclaredPlace | undefined> {
  const provider = providers.find(({ id }) => id === source.provider);
  if (provider === undefined || !isWritable(provider) || source.level === "system") return undefined;
  const entry = await findDeclaredEntry(provider, name, { source, context });
  if (entry?.keys === undefined || !isJsonFile(provider, entry.file)) return undefined;
  const { flag } = provider.description.writing;
  return { path: source.path, key: entry.keys, ...(flag === undefined ? {} : { flag }) };
}

/** A file to write to with what is needed to write it. */
export interface LocatedTarget {
  provider: WritableFileProvider;
  file: LocatedFile;
  key: readonly string[];
}

/** As {@link findWriteTarget}, for the writers of this package. */
export function locateWriteTarget(providerId: string, options: WriteTargetOptions): LocatedTarget {
  const { level, context, providers = mcpProviders } = options;
  const provider = providers.find(({ id }) => id === providerId);
  const writable = listWritableProviders({ context, providers });
  const list = (items: readonly WritableProvider[]): string => items.map(({ id }) => id).join(", ") || "none";
  if (provider === undefined || !isWritable(provider)) {
    const reason =
      provider === undefined
        ? `There is no client ${JSON.stringify(providerId)}.`
        : `The files of ${provider.displayName} are only read.`;
    throw new ToolgateError("CONFIG_INVALID", `${reason} Clients that can be written: ${list(writable)}.`);
  }
  const targets = listTargets(provider, level, context);
  const target = targets.find(({ file }) => pathExists(file.path)) ?? firstOfRoot(targets);
  if (target !== undefined) return { provider, ...target };
  const others = list(writable.filter(({ levels }) => levels.includes(level)));
  const message = `${provider.displayName} has no file of the ${level} that can be written. Clients that have one: ${others}.`;
  throw new ToolgateError("CONFIG_INVALID", message);
}

/** How a client writes the entries of one of its files. */
export function writingClientOf({ provider, file }: LocatedTarget, { platform }: LoadContext): WritingClient {
  const { displayName, description } = provider;
  const rules: FileRules = { ...description, ...file };
  return { displayName, rules: description.writing, forms: formsOf(rules, platform), name: rules.entry?.name };
}

/** A provider whose files can be written. */
interface WritableFileProvider extends FileProvider {
  readonly description: FileProvider["description"] & { writing: WriteRules };
}

function isWritable(provider: CapabilityProvider<MCPServerItem>): provider is WritableFileProvider {
  return isFileProvider(provider) && provider.description.writing !== undefined;
}

function listTargets(
  provider: WritableFileProvider,
  level: WriteLevel,
  context: LoadContext,
): Omit<LocatedTarget, "provider">[] {
  const files = locateFiles(provider.description, createPlaces(context), findProjectFolders(context));
  return files.flatMap((file) => {
    const key = keyOf(provider, file);
    return file.level === level && file.below === undefined && isJsonFile(provider, file) && key !== undefined
      ? [{ file, key }]
      : [];
  });
}

/** The key of new entries; `undefined` for a file whose own way of finding servers says none, such as package.json. */
function keyOf({ description }: WritableFileProvider, file: LocatedFile): readonly string[] | undefined {
  const located = file.servers ?? description.servers ?? "mcpServers";
  const key = description.writing.key ?? (typeof located === "function" ? undefined : located);
  return typeof key === "string" ? [key] : key;
}

function firstOfRoot<T extends { file: LocatedFile }>(targets: readonly T[]): T | undefined {
  const root = targets.at(-1)?.file.projectDirectory;
  return targets.find(({ file }) => file.projectDirectory === root);
}
