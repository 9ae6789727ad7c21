import type { FSWatcher } from "node:fs";
import { watch } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";

import type { Logger } from "@toolgate/contracts";
import { messageOf } from "@toolgate/contracts";
import type { Clock } from "@toolgate/mcp-manager";
import { systemClock } from "@toolgate/mcp-manager";

/** Milliseconds for which nothing may change before a change counts as complete. */
const QUIET_MS = 200;

/** How files are watched. */
export interface WatchFilesOptions {
  /** Called after a change; the next change is reported only when the returned promise has resolved. Must not reject. */
  onChange: (paths: readonly string[]) => Promise<void>;
  logger: Logger;
  /** Measures the quiet time. @default the process's own clock */
  clock?: Clock;
  /** Called each time the files have been looked at and everything is watched. @default nothing */
  onLook?: () => void;
}

/**
 * Watches files that come, go, and are replaced. What is watched are folders: an editor's atomic rename makes a new file
 * of the same name, which a watch of the old one would not see; and for a file that does not exist yet it is the nearest
 * folder that does. The watching never keeps the process alive.
 *
 * @param listFiles - Gives the files, asked again after each change.
 * @returns ends the watching; comes when every later change will be seen
 */
export async function watchFiles(
  listFiles: () => Promise<readonly string[]>,
  options: WatchFilesOptions,
): Promise<() => void> {
  const watcher = new FileWatcher(listFiles, options);
  await watcher.look();
  return () => watcher.close();
}

class FileWatcher {
  readonly #listFiles: () => Promise<readonly string[]>;
  readonly #options: WatchFilesOptions;
  readonly #clock: Clock;
  /** By identity: the watch of a folder that was removed and made anew sees nothing. */
  readonly #folders = new Map<string, FSWatcher>();
  #files: readonly string[] = [];
  /** What the files were when they were last reported, and when they were last looked at. */
  #reported: ReadonlyMap<string, string> | undefined;
  #seen: ReadonlyMap<string, string> = new Map();
  #cancelLook: (() => void) | undefined;
  #isLooking = false;
  #isClosed = false;

  constructor(listFiles: () => Promise<readonly string[]>, options: WatchFilesOptions) {
    this.#listFiles = listFiles;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelLook?.();
    for (const watcher of this.#folders.values()) watcher.close();
    this.#folders.clear();
  }

  // An event that comes while a look is planned adds nothing: a busy folder must not put it off for ever.
  #planLook(): void {
    if (this.#isClosed || this.#cancelLook !== undefined) return;
    this.#cancelLook = this.#clock.schedule(() => {
      this.#cancelLook = undefined;
      if (this.#isLooking) this.#planLook();
      else void this.look();
    }, QUIET_MS);
  }

  /** Looks at the files; the first look is what later ones are compared with. Never rejects. */
  async look(): Promise<void> {
    this.#isLooking = true;
    try {
      await this.#compare();
    } catch (error) {
      this.#options.logger.warn(`The configuration files could not be watched: ${messageOf(error)}`);
    } finally {
      this.#isLooking = false;
    }
    if (!this.#isClosed) this.#options.onLook?.();
  }

  async #compare(): Promise<void> {
    if (this.#reported === undefined) this.#files = await this.#listFiles();
    const now = await this.#watchAndRead();
    if (this.#isClosed) return;
    const reported = (this.#reported ??= now);
    const wasQuiet = changedPaths(this.#seen, now).length === 0;
    this.#seen = now;
    const changed = changedPaths(reported, now);
    if (changed.length === 0) return;
    if (!wasQuiet) {
      // Whoever writes may not have finished.
      this.#planLook();
      return;
    }
    this.#reported = now;
    await this.#options.onChange(changed);
    await this.#takeNewList(now);
  }

  async #takeNewList(known: ReadonlyMap<string, string>): Promise<void> {
    this.#files = await this.#listFiles();
    const now = await this.#watchAndRead();
    // A file that was not listed before is no change.
    this.#reported = new Map([...now].map(([path, state]) => [path, known.get(path) ?? state]));
    if (changedPaths(this.#reported, now).length > 0) this.#planLook();
  }

  // In this order, until nothing new has to be watched: what appears in between is seen by one or the other.
  async #watchAndRead(): Promise<ReadonlyMap<string, string>> {
    while (await this.#watchFolders()) continue;
    const states = await Promise.all(this.#files.map(async (path) => [path, await readState(path)] as const));
    return new Map(states);
  }

  /** Whether another look has to be taken at what is to be watched. */
  async #watchFolders(): Promise<boolean> {
    const found = await Promise.all(this.#files.map((path) => foldersOf(path)));
    const folders = [...new Set(found.flat())];
    const identities = await Promise.all(folders.map(async (folder) => [await identityOf(folder), folder] as const));
    if (this.#isClosed) return false;
    const wanted = new Map(identities.filter((entry): entry is [string, string] => entry[0] !== undefined));
    // A folder that has gone since it was found: what stands in its place now nobody watches.
    const hasVanished = wanted.size < identities.length;
    for (const [identity, watcher] of this.#folders) if (!wanted.has(identity)) this.#drop(identity, watcher);
    const missing = [...wanted].filter(([identity]) => !this.#folders.has(identity));
    return missing.filter(([identity, folder]) => this.#add(identity, folder)).length > 0 || hasVanished;
  }

  /** Watches a folder; false when that cannot be, and trying again would not help. */
  #add(identity: string, folder: string): boolean {
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#planLook());
      watcher.on("error", () => {
        this.#drop(identity, watcher);
        this.#planLook();
      });
      this.#folders.set(identity, watcher);
      return true;
    } catch (error) {
      if (isGone(error)) return true;
      this.#options.logger.debug(`${folder} cannot be watched: ${messageOf(error)}`);
      return false;
    }
  }

  #drop(identity: string, watcher: FSWatcher): void {
    watcher.close();
    if (this.#folders.get(identity) === watcher) this.#folders.delete(identity);
  }
}

function changedPaths(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  return [...now].filter(([path, state]) => before.get(path) !== state).map(([path]) => path);
}

/** What tells one state of a file from another; empty when there is none. */
async function readState(path: string): Promise<string> {
  try {
    const { ino, size, mtimeMs } = await stat(path);
    return `${ino}:${size}:${mtimeMs}`;
  } catch {
    return "";
  }
}

/** The folders in which a change of a file shows: its own or the nearest that exists, and that of a link's target. */
async function foldersOf(path: string): Promise<string[]> {
  const nearest = await nearestFolder(dirname(path));
  try {
    return [nearest, dirname(await realpath(path))];
  } catch {
    return [nearest];
  }
}

/** Undefined when the folder is not there any more. */
async function identityOf(folder: string): Promise<string | undefined> {
  try {
    const { ino, birthtimeMs } = await stat(folder);
    return `${folder}:${ino}:${birthtimeMs}`;
  } catch (error) {
    return isGone(error) ? undefined : folder;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

async function nearestFolder(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch {
    const parent = dirname(folder);
    return parent === folder ? folder : nearestFolder(parent);
  }
}
