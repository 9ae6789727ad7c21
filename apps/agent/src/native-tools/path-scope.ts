import { lstat, readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

import type { MaybePromise } from "@toolgate/contracts";
import { isRecord } from "@toolgate/contracts";

import { createChangeQueue } from "./change-queue.ts";

/** As many links one behind the other as an operating system follows. */
const MAX_LINKS = 40;

/** A change outside of the allowed folders, which somebody may allow. */
export interface OutsideRequest {
  /** Name of the tool. */
  tool: string;
  /** Where the change would take place, symbolic links resolved. */
  path: string;
  /** Aborts with the call. */
  signal?: AbortSignal;
}

/** What {@link createPathScope} goes by. */
export interface PathScopeOptions {
  cwd: string;
  /** Further folders in which files may be changed. */
  roots?: readonly string[];
  /** Whether a file elsewhere may be changed. @default none may */
  approveOutside?: (request: OutsideRequest) => MaybePromise<boolean>;
}

/** Where native tools work: paths start at the working directory, and changes stay within the allowed folders. */
export interface PathScope {
  readonly cwd: string;
  /** The absolute path that a model means. */
  resolve(path: string): string;
  /** As short as people and models like it: relative within the working directory. */
  show(path: string): string;
  /**
   * Changes a file, given its real path: what is checked is what is written, whatever links lead there. Changes of one
   * file happen one after the other.
   *
   * @throws Error for the model when it is outside and nobody allows it
   */
  change<T>(path: string, request: Omit<OutsideRequest, "path">, work: (real: string) => Promise<T>): Promise<T>;
}

/** Makes the scope of a session's native tools. */
export function createPathScope({ cwd, roots = [], approveOutside }: PathScopeOptions): PathScope {
  const queue = createChangeQueue();
  const show = (path: string): string => (isWithin(cwd, path) ? relative(cwd, path) || "." : path);
  return {
    cwd,
    resolve: (path) => resolve(cwd, path),
    show,
    async change(path, request, work) {
      const real = await findRealPath(resolve(cwd, path));
      const allowed = await Promise.all([cwd, ...roots].map((root) => findRealPath(resolve(cwd, root))));
      if (
        !allowed.some((root) => isWithin(root, real)) &&
        (await approveOutside?.({ ...request, path: real })) !== true
      ) {
        throw new Error(
          `${request.tool} may not change ${real}: it is outside of the working directory ${cwd}` +
            `${roots.length === 0 ? "" : ` and of ${roots.join(", ")}`}, and that was not approved.`,
        );
      }
      return queue.run(real, async () => {
        request.signal?.throwIfAborted();
        return work(real);
      });
    },
  };
}

/** Where an existing path leads, symbolic links resolved; undefined when there is nothing, or nothing within the folder. */
export async function findWithin(folder: string, path: string): Promise<string | undefined> {
  try {
    const [root, real] = await Promise.all([realpath(folder), realpath(resolve(folder, path))]);
    return isWithin(root, real) ? real : undefined;
  } catch {
    return undefined;
  }
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Resolves every symbolic link, also of a path whose end does not exist yet, and of links that lead to nothing. */
async function findRealPath(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw describeFileError(error, path);
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const real = join(await findRealPath(parent, links), basename(path));
  const target = await readLink(real);
  if (target === undefined) return real;
  if (links >= MAX_LINKS) throw new Error(`${path} cannot be resolved: too many symbolic links.`);
  return findRealPath(resolve(dirname(real), target), links + 1);
}

async function readLink(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch {
    return undefined;
  }
}

/** What a failure of the file system means to a model. */
export function describeFileError(error: unknown, path: string): Error {
  const reason = REASONS.find(([code]) => isErrno(error, code))?.[1];
  return reason === undefined && error instanceof Error ? error : new Error(`${path} ${reason ?? "cannot be used"}.`);
}

const REASONS = [
  ["ENOENT", "does not exist"],
  ["EISDIR", "is a directory"],
  ["ENOTDIR", "is below something that is not a directory"],
  ["EACCES", "may not be used: permission denied"],
  ["EPERM", "may not be used: permission denied"],
  ["EROFS", "is on a file system that cannot be written to"],
  ["ENOSPC", "does not fit: the disk is full"],
  ["ELOOP", "leads through too many symbolic links"],
] as const;

function isErrno(error: unknown, code: string): boolean {
  return isRecord(error) && error["code"] === code;
}
