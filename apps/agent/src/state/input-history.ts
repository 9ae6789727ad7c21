import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, rename, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

import type { Logger } from "@toolgate/contracts";
import { messageOf, silentLogger } from "@toolgate/contracts";

import { sanitizeText } from "../terminal/sanitize-text.ts";
import type { HostPlaces } from "./state-directory.ts";
import { stateDirectory } from "./state-directory.ts";

/** How many inputs of a project are remembered. */
export const KEPT_INPUTS = 1000;

/**
 * Remembers what was entered in the chats of a project.
 *
 * Contract: what cannot be read or written counts as never entered; nothing rejects.
 */
export interface InputHistory {
  /** Where the inputs are kept. */
  readonly path: string;
  /** The last {@link KEPT_INPUTS}, the newest first, none of them twice. */
  load(): Promise<string[]>;
  /** Keeps an input, after those that were added before. */
  add(input: string): void;
  /** Waits until everything that was added is written. */
  settle(): Promise<void>;
}

/** Options of {@link createInputHistory}. */
export interface InputHistoryOptions extends HostPlaces {
  /** Absolute path of the project. */
  project: string;
  /** Hears of what cannot be read or written. @default silent */
  logger?: Logger;
}

/**
 * Keeps inputs in a file per project in the state directory, which its owner alone can read (mode 0600).
 *
 * Inputs are appended, so that chats at the same time take nothing from each other. A file that is full becomes the
 * previous one, and the next is begun.
 */
export function createInputHistory(options: InputHistoryOptions): InputHistory {
  const { project, logger = silentLogger } = options;
  const name = createHash("sha256").update(project).digest("hex").slice(0, 32);
  const path = join(stateDirectory(options), "history", `${name}.jsonl`);
  const previous = `${path}.previous`;
  const report = (error: unknown): void => logger.debug(`The history in ${path} cannot be kept: ${messageOf(error)}`);
  let lastWrite: Promise<void> = Promise.resolve();
  return {
    path,
    async load() {
      const text = await readText(path);
      const inputs = newestFirst(parseLines(text));
      if (inputs.length >= KEPT_INPUTS) {
        await replacePrevious(path, previous, Buffer.byteLength(text)).catch(report);
        return inputs.slice(0, KEPT_INPUTS);
      }
      const older = newestFirst(parseLines(await readText(previous)));
      return [...new Set([...inputs, ...older])].slice(0, KEPT_INPUTS);
    },
    add(input) {
      lastWrite = lastWrite.then(() => appendLine(path, JSON.stringify(input))).catch(report);
    },
    settle: () => lastWrite,
  };
}

async function appendLine(path: string, line: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await appendFile(path, `${line}\n`, { mode: 0o600 });
}

/** Unless another chat has begun a new file in the meantime: what is full never makes room for what is not. */
async function replacePrevious(path: string, previous: string, size: number): Promise<void> {
  if ((await stat(path)).size >= size) await rename(path, previous);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return "";
  }
}

/** What is no JSON text, as a line that was cut off, is left out. */
function parseLines(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      // What was typed has no such characters; what is called back is shown as it is.
      return typeof value === "string" ? [sanitizeText(value)] : [];
    } catch {
      return [];
    }
  });
}

function newestFirst(inputs: readonly string[]): string[] {
  return [...new Set(inputs.toReversed())];
}
