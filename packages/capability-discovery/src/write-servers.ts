import { isRecord, ToolgateError, validateServerConfig } from "@toolgate/contracts";
import type { MCPServerConfig } from "@toolgate/contracts";

import type { LoadContext } from "./capability.ts";
import { pathExists } from "./config-file.ts";
import { editJsonFile } from "./edit-json-file.ts";
import type { EditResult } from "./edit-json-file.ts";
import { nativeUserFiles } from "./native-files.ts";
import { createPlaces } from "./places.ts";

/** Where a client's JSON file has its servers, and how it writes them. */
export interface WriteOptions {
  /** Key, or path of keys, of the map of servers. @default "mcpServers" */
  key?: string | readonly string[];
  /** Turns an entry into the client's form. @default as it is */
  shape?(config: MCPServerConfig, name: string): unknown;
}

/** Options of {@link addServer}. */
export interface AddServerOptions extends WriteOptions {
  /** Replaces an entry of the same name. @default false */
  replace?: boolean;
}

/** Options of {@link setServerEnabled}. */
export interface EnableServerOptions extends WriteOptions {
  /** The field that the client has for it. @default "enabled", or "disabled" when the entry has that already */
  flag?: "enabled" | "disabled";
}

/** Mode of a new file whose entry may hold secrets. */
const PRIVATE_MODE = 0o600;

/**
 * Adds a server to a JSON or JSONC file, which is made when absent: with mode 0600 when the entry has env, headers or
 * authorization. Locked, atomic, keeps comments and layout.
 *
 * @param file - For example `.mcp.json`.
 * @throws ToolgateError `CONFIG_INVALID` when the entry could not be started or the name is taken, `CONFIG_UNREADABLE`
 * when the file cannot be read, parsed or written; it is left as it is then
 */
// oxlint-disable-next-line max-params -- file, name and value are what every writer takes
export async function addServer(
  file: string,
  name: string,
  config: MCPServerConfig,
  options: AddServerOptions = {},
): Promise<EditResult> {
  const problems = validateServerConfig(name, config);
  if (problems.length > 0) throw invalid(name, `was not added: ${problems.join("; ")}.`);
  const value = options.shape?.(config, name) ?? config;
  return insertServer(file, name, { ...options, value, isPrivate: hasSecrets(config) });
}

/** What {@link insertServer} writes. */
export interface InsertServerOptions extends AddServerOptions {
  /** The entry in the client's form. */
  value: unknown;
  /** Whether others may not read the file, when it is new. */
  isPrivate: boolean;
}

/** As {@link addServer}, for an entry that has been checked and is in the client's form. */
export function insertServer(file: string, name: string, options: InsertServerOptions): Promise<EditResult> {
  const path = [...keysOf(options), name];
  return editJsonFile(file, {
    ...(options.isPrivate ? { newFileMode: PRIVATE_MODE } : {}),
    change: (view) => {
      checkParents(view, keysOf(options), file);
      if (options.replace !== true && view.get(path) !== undefined) {
        throw invalid(name, `is in ${file} already. Remove it first, or replace it.`);
      }
      return [{ path, value: options.value }];
    },
  });
}

/**
 * Removes a server from a JSON or JSONC file. Locked, atomic, keeps comments and layout.
 *
 * @returns `changed: false` when it was not there
 * @throws ToolgateError `CONFIG_UNREADABLE` when the file cannot be read, parsed or written
 */
export async function removeServer(file: string, name: string, options: WriteOptions = {}): Promise<EditResult> {
  if (!pathExists(file)) return { path: file, changed: false, created: false };
  const path = [...keysOf(options), name];
  return editJsonFile(file, {
    change: (view) => (view.get(path) === undefined ? [] : [{ path, value: undefined }]),
  });
}

/**
 * Switches a server on or off in the file that declares it. Locked, atomic, keeps comments and layout.
 *
 * @throws ToolgateError `CONFIG_INVALID` when the file has no such server, `CONFIG_UNREADABLE` when it cannot be read,
 * parsed or written
 */
// oxlint-disable-next-line max-params -- file, name and value are what every writer takes
export async function setServerEnabled(
  file: string,
  name: string,
  enabled: boolean,
  options: EnableServerOptions = {},
): Promise<EditResult> {
  const path = [...keysOf(options), name];
  const absent = invalid(name, `is not in ${file}.`);
  if (!pathExists(file)) throw absent;
  return editJsonFile(file, {
    change: (view) => {
      const entry = view.get(path);
      if (!isRecord(entry)) throw absent;
      const present = (["enabled", "disabled"] as const).filter((field) => Object.hasOwn(entry, field));
      if (enabled) return present.map((field) => ({ path: [...path, field], value: undefined }));
      const flag = options.flag ?? present[0] ?? "enabled";
      const value = flag === "disabled";
      const opposite = flag === "enabled" ? "disabled" : "enabled";
      const changes = entry[flag] === value ? [] : [{ path: [...path, flag], value }];
      // The other field must not contradict.
      return entry[opposite] === undefined || entry[opposite] === !value
        ? changes
        : [...changes, { path: [...path, opposite], value: undefined }];
    },
  });
}

/**
 * Switches a server off, or no longer off, for Toolgate alone: by its name in `disabledServers` of a native file. The
 * file that declares it stays as it is.
 *
 * @param file - Normally {@link findNativeUserFile}.
 * @throws ToolgateError `CONFIG_UNREADABLE` when the file cannot be read, parsed or written
 */
export async function setServerDisabledOverlay(file: string, name: string, disabled: boolean): Promise<EditResult> {
  if (!disabled && !pathExists(file)) return { path: file, changed: false, created: false };
  const path = ["disabledServers"];
  return editJsonFile(file, {
    change: (view) => {
      const present = view.get(path);
      const names: unknown[] = Array.isArray(present) ? present : [];
      if (names.includes(name) === disabled) return [];
      return [{ path, value: disabled ? [...names, name] : names.filter((item) => item !== name) }];
    },
  });
}

/** The user's own Toolgate file to write to: the first JSON one that exists, else the one that would be read first. */
export function findNativeUserFile(context: LoadContext): string {
  const files = nativeUserFiles(createPlaces(context)).filter((path) => !path.endsWith(".yaml"));
  return files.find(pathExists) ?? (files[0] as string);
}

function keysOf({ key = "mcpServers" }: WriteOptions): readonly string[] {
  return typeof key === "string" ? [key] : key;
}

function checkParents(view: { get(path: string[]): unknown }, keys: readonly string[], file: string): void {
  for (let length = 1; length <= keys.length; length += 1) {
    const parent = keys.slice(0, length);
    const value = view.get(parent);
    if (value === undefined || isRecord(value)) continue;
    const message = `The configuration file ${file} was left as it is: "${parent.join(".")}" is not an object.`;
    throw new ToolgateError("CONFIG_UNREADABLE", message);
  }
}

/** Whether an entry may hold secrets. */
export function hasSecrets(config: MCPServerConfig): boolean {
  const { auth, oauth } = config;
  const values = config.type === "http" || config.type === "sse" ? config.headers : config.env;
  return auth !== undefined || oauth !== undefined || Object.keys(values ?? {}).length > 0;
}

function invalid(name: string, message: string): ToolgateError {
  return new ToolgateError("CONFIG_INVALID", `Server ${JSON.stringify(name)} ${message}`, { server: name });
}
