import { readFile, stat } from "node:fs/promises";

import { describeFileError } from "./path-scope.ts";

/** Bytes of the largest file that is taken into memory. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Bytes that are looked at to tell text from other files. */
const SNIFFED = 8192;

const BYTE_ORDER_MARK = "\uFEFF";

/** A text as it stands in a file. */
export interface TextFile {
  /** Without the byte order mark; line ends as they are. */
  text: string;
  /** The byte order mark, or nothing. */
  mark: string;
}

/**
 * Reads a file whole.
 *
 * @throws Error for the model when it is no file, too large or cannot be read
 */
export async function readWholeFile(path: string): Promise<Buffer> {
  try {
    const { size, ...found } = await describe(path);
    if (!found.isFile) throw new Error(`${path} is ${found.isDirectory ? "a directory" : "not a regular file"}.`);
    if (size > MAX_BYTES) {
      throw new Error(
        `${path} has ${size} bytes, more than the ${MAX_BYTES} that can be read; use bash for parts of it.`,
      );
    }
    return await readFile(path);
  } catch (error) {
    throw describeFileError(error, path);
  }
}

// A pipe or a device would be read for ever.
async function describe(path: string): Promise<{ size: number; isFile: boolean; isDirectory: boolean }> {
  const stats = await stat(path);
  return { size: stats.size, isFile: stats.isFile(), isDirectory: stats.isDirectory() };
}

/** Decodes UTF-8 text; undefined for everything that is not text. */
export function decodeText(bytes: Buffer): TextFile | undefined {
  if (bytes.subarray(0, SNIFFED).includes(0)) return undefined;
  try {
    const decoded = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const mark = decoded.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
    return { text: decoded.slice(mark.length), mark };
  } catch {
    return undefined;
  }
}
