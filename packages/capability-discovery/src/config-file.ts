import { close, constants, fstat, open, read, stat } from "node:fs";
import { promisify } from "node:util";

import { messageOf } from "@toolgate/contracts";

/** Largest configuration file that is read: 32 MiB. Some clients keep their history in the same file. */
export const MAX_CONFIG_FILE_BYTES: number = 32 * 1024 * 1024;

/** What became of reading a file. */
export type ConfigFileText =
  | { state: "absent" }
  | { state: "refused"; message: string }
  | { state: "read"; text: string; /** Same value for the same physical file. */ identity: string };

// The callback functions cost about half of `node:fs/promises`, and most files looked for do not exist.
const openFile = promisify(open);
const statOpenFile = promisify(fstat);
const readOpenFile = promisify(read);
const closeFile = promisify(close);

/** Whether something is at a path; what it is does not matter. */
export function pathExists(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      stat(path, (error) => resolve(error === null));
    } catch {
      // A NUL character in the path.
      resolve(false);
    }
  });
}

/**
 * Reads a configuration file. An absent file is no problem; a FIFO, socket, device or folder, a file that is too large
 * and one that may not be read are refused with a reason. Never throws and never blocks on a FIFO.
 */
export async function readConfigFile(path: string): Promise<ConfigFileText> {
  let descriptor: number;
  try {
    // Without O_NONBLOCK opening a FIFO waits for a writer. Windows has neither.
    descriptor = await openFile(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    return describeOpenError(error);
  }
  try {
    return await readDescriptor(descriptor, path);
  } catch (error) {
    const message = codeOf(error) === "EISDIR" ? "is a folder, not a file" : `cannot be read: ${messageOf(error)}`;
    return { state: "refused", message };
  } finally {
    await closeFile(descriptor);
  }
}

async function readDescriptor(descriptor: number, path: string): Promise<ConfigFileText> {
  const stats = await statOpenFile(descriptor);
  if (stats.isDirectory()) return { state: "refused", message: "is a folder, not a file" };
  if (!stats.isFile()) return { state: "refused", message: "is not a regular file" };
  const tooLarge: ConfigFileText = { state: "refused", message: `is larger than ${MAX_CONFIG_FILE_BYTES} bytes` };
  if (stats.size > MAX_CONFIG_FILE_BYTES) return tooLarge;
  // One byte more than the file has: a short answer then means its end.
  let buffer = Buffer.allocUnsafe(stats.size + 1);
  let length = 0;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- each read begins where the last one ended
    const { bytesRead } = await readOpenFile(descriptor, buffer, length, buffer.length - length, null);
    length += bytesRead;
    if (bytesRead === 0) break;
    if (length < buffer.length) continue;
    if (length > MAX_CONFIG_FILE_BYTES) return tooLarge;
    buffer = Buffer.concat([buffer], buffer.length * 2);
  }
  const identity = stats.ino === 0 ? path : `${stats.dev}:${stats.ino}`;
  return { state: "read", text: decodeText(buffer.subarray(0, length)), identity };
}

/** Decodes UTF-8, and UTF-16 where a byte order mark says so, as older shells of Windows write it. Strips the mark. */
export function decodeText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)))
      .swap16()
      .toString("utf16le");
  const text = bytes.toString("utf8");
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

function describeOpenError(error: unknown): ConfigFileText {
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
      return { state: "refused", message: `cannot be opened: ${messageOf(error)}` };
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, "code") : undefined;
}
