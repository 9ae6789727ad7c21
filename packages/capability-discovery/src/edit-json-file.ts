import { constants } from "node:fs";
import { access, lstat, mkdir, readFile, readlink, realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";

import { messageOf, ToolgateError } from "@toolgate/contracts";
import type { JSONPath, Node, ParseError } from "jsonc-parser";

import { readConfigFile } from "./config-file.ts";
import { detectStyle, removeJsonValue, setJsonValue } from "./json-edits.ts";
import type { JSONCParser } from "./json-edits.ts";
import { positionAt } from "./parse-config.ts";

/** One change: the value at a path, or `undefined` to remove it. */
interface JSONChange {
  path: JSONPath;
  value: unknown;
}

/** What an edit may look at. */
interface JSONFileView {
  /** The value at a path; `undefined` when there is none. */
  get(path: JSONPath): unknown;
}

/** What an edit did. */
export interface EditResult {
  /** The file that was meant; when it is a symbolic link, its target was written. */
  path: string;
  /** `false` when the file was as wanted already and was not written. */
  changed: boolean;
  /** Whether the file is new. */
  created: boolean;
}

/** How a file is edited. */
export interface EditOptions {
  /** Decides on the changes, from the file as it is under the lock. */
  change(view: JSONFileView): readonly JSONChange[];
  /** Mode of a new file. @default what the process's umask leaves of 0666 */
  newFileMode?: number;
}

const BYTE_ORDER_MARK = "\uFEFF";
// Ten processes that add servers at once wait for each other for well under a second; a dead one's lock is stale in ten.
const LOCK = {
  stale: 10_000,
  retries: { retries: 400, factor: 1.2, minTimeout: 10, maxTimeout: 100, randomize: true },
};

/**
 * Edits a JSON or JSONC file: under a lock, in one atomic write, keeping comments, order, indentation, line endings, byte
 * order mark and mode. A symbolic link stays one.
 *
 * @throws ToolgateError `CONFIG_UNREADABLE` when the file cannot be read, does not parse or may not be written; it is left
 * as it is then
 */
export async function editJsonFile(file: string, options: EditOptions): Promise<EditResult> {
  if (/\.(?:toml|ya?ml)$/i.test(file)) throw unreadable(file, "only JSON files can be edited");
  const path = resolve(file);
  const target = await resolveTarget(path);
  // Loaded here: reading configurations needs none of them.
  const [{ lock }, { default: writeFileAtomic }] = await Promise.all([
    import("proper-lockfile"),
    import("write-file-atomic"),
  ]);
  let release: (() => Promise<void>) | undefined;
  try {
    await mkdir(dirname(target), { recursive: true });
    release = await lock(target, { realpath: false, ...LOCK });
    const before = await readForEdit(path, target);
    const after = await applyChanges(before ?? "", { path, options });
    const created = before === undefined;
    if (after === before) return { path, changed: false, created: false };
    const mode = created ? options.newFileMode : undefined;
    await writeFileAtomic(target, after, mode === undefined ? {} : { mode });
    return { path, changed: true, created };
  } catch (error) {
    if (ToolgateError.isInstance(error)) throw error;
    throw unreadable(path, `it cannot be written: ${messageOf(error)}`, error);
  } finally {
    await release?.();
  }
}

/** Where a link leads, also when nothing is there yet. */
async function resolveTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    // Either nothing is there, or a link to nothing.
  }
  try {
    if ((await lstat(path)).isSymbolicLink()) return resolve(dirname(path), await readlink(path));
  } catch {
    // Nothing is there.
  }
  return path;
}

/** The file's text with its byte order mark; `undefined` when there is none. */
async function readForEdit(path: string, target: string): Promise<string | undefined> {
  // The checks are those of reading: no FIFO, no folder, no giant.
  const file = await readConfigFile(target);
  if (file.state === "absent") return undefined;
  if (file.state === "refused") throw unreadable(path, `it ${file.message}`);
  // A rename would get past a file that its owner has made read-only.
  await access(target, constants.W_OK);
  const bytes = await readFile(target);
  const text = bytes.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(bytes)) throw unreadable(path, "it is not UTF-8");
  return text;
}

async function applyChanges(text: string, { path, options }: { path: string; options: EditOptions }): Promise<string> {
  const parser = await import("jsonc-parser");
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const body = text.slice(mark.length);
  let current = body.trim() === "" ? `{}${detectStyle(body).lineEnding}` : body;
  const root = parseObject(parser, current, path);
  const changes = options.change({
    get: (location) => {
      const node = parser.findNodeAtLocation(root, location);
      return node === undefined ? undefined : (parser.getNodeValue(node) as unknown);
    },
  });
  if (changes.length === 0) return text;
  for (const change of changes) {
    current =
      change.value === undefined
        ? removeJsonValue(parser, current, change.path)
        : setJsonValue(parser, current, change);
  }
  // Cheap, and the last chance to notice that what would be written cannot be read again.
  parseObject(parser, current, path);
  return mark + current;
}

function parseObject(parser: JSONCParser, text: string, path: string): Node {
  const errors: ParseError[] = [];
  const tree = parser.parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    const { line, column } = positionAt(text, first.offset);
    const code = parser.printParseErrorCode(first.error);
    throw unreadable(path, `it does not parse at line ${line}, column ${column} (${code})`);
  }
  if (tree?.type !== "object") throw unreadable(path, "it holds no JSON object");
  return tree;
}

function unreadable(path: string, reason: string, cause?: unknown): ToolgateError {
  const message = `The configuration file ${path} was left as it is: ${reason}. Correct it by hand and try again.`;
  return new ToolgateError("CONFIG_UNREADABLE", message, cause === undefined ? {} : { cause });
}
