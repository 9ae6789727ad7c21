import { closeSync, constants, open, read, statSync } from "node:fs";
import type { Stats } from "node:fs";
import { promisify } from "node:util";

import { messageOf } from "@toolgate/contracts";

/** Largest configuration file that is read: 32 MiB. Some clients keep their history in the same file. */
export const MAX_CONFIG_FILE_BYTES: number = 32 * 1024 * 1024;

/** What became of reading a file. */
export type ConfigFileText =
  | { state: "absent" }
  | { state: "refused"; message: string }
  | { state: "read"; text: string; /** Same value for the same physical file. */ identity: string };

// The callback functions cost about half of `node:fs/promises`.
const openFile = promisify(open);
const readOpenFile = promisify(read);

/** Whether something is at a path; what it is does not matter. */
export function pathExists(path: string): boolean {
  return look(path) !== undefined;
}

/**
 * What is at a path. Synchronous on purpose: over a hundred paths are asked for at each start and few exist. Such an
 * answer takes two microseconds, a way through the thread pool thirty.
 */
function look(path: string): Stats | Error | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // A path with a NUL character is none; anything else is something that may not be looked at.
    return path.includes("\0") || !(error instanceof Error) ? undefined : error;
  }
}

/**
 * Reads a configuration file. An absent file is no problem; a FIFO, socket, device or folder, a file that is too large
 * and one that may not be read are refused with a reason. Never throws and never blocks on a FIFO.
 */
export async function readConfigFile(path: string): Promise<ConfigFileText> {
  const stats = look(path);
  if (stats === undefined) return { state: "absent" };
  if (stats instanceof Error) return describeError(stats);
  if (stats.isDirectory()) return { state: "refused", message: "is a folder, not a file" };
  if (!stats.isFile()) return { state: "refused", message: "is not a regular file" };
  const tooLarge: ConfigFileText = { state: "refused", message: `is larger than ${MAX_CONFIG_FILE_BYTES} bytes` };
  if (stats.size > MAX_CONFIG_FILE_BYTES) return tooLarge;
  try {
    // Should a FIFO have taken the file's place by now, O_NONBLOCK keeps us from waiting for a writer. Windows has neither.
    const descriptor = await openFile(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const bytes = await readAll(descriptor, stats.size);
      if (bytes.length > MAX_CONFIG_FILE_BYTES) return tooLarge;
      const identity = stats.ino === 0 ? path : `${stats.dev}:${stats.ino}`;
      return { state: "read", text: decodeText(bytes), identity };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return describeError(error);
  }
}

async function readAll(descriptor: number, size: number): Promise<Buffer> {
  let buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- each read begins where the last one ended
    const { bytesRead } = await readOpenFile(descriptor, buffer, length, buffer.length - length, null);
    length += bytesRead;
    // The size is known; a further read would only find out that nothing came since.
    if (bytesRead === 0 || length === size || length > MAX_CONFIG_FILE_BYTES) return buffer.subarray(0, length);
    if (length === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
  }
}

/** Decodes UTF-8, and UTF-16 where a byte order mark says so, as older shells of Windows write it. Strips the mark. */
function decodeText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)))
      .swap16()
      .toString("utf16le");
  const text = bytes.toString("utf8");
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

function describeError(error: unknown): ConfigFileText {
  switch (codeOf(error)) {
    case "ENOENT":
    case "ENOTDIR":
      return { state: "absent" };
    case "EISDIR":
      return { state: "refused", message: "is a folder, not a file" };
    case "ENXIO":
      return { state: "refused", message: "is not a regular file" };
    case "EACCES":
    case "EPERM":
      return { state: "refused", message: "may not be read (permission denied)" };
    default:
      return { state: "refused", message: `cannot be read: ${messageOf(error)}` };
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, "code") : undefined;
}
