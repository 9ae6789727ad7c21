import { readFile } from "node:fs/promises";

import type { Logger } from "@toolgate/contracts";
import { isRecord, messageOf } from "@toolgate/contracts";

import { writePrivateFile } from "./private-file.ts";

/** What {@link createStateFile} keeps. */
export interface StateFileOptions<T> {
  path: string;
  /** What it holds, for messages: "approvals". */
  what: string;
  /** What follows from a damaged file, for messages: "approve the servers again". */
  remedy: string;
  /** Takes what can be used of a file's content. */
  parse: (value: unknown) => T;
  /** What the file is to hold; an object. */
  serialize: (state: T) => object;
  logger: Logger;
}

/** State in one file that only its owner can read (mode 0600), replaced atomically. */
export interface StateFile<T> {
  readonly path: string;
  /** What the file holds; what cannot be read counts as empty. Never rejects. */
  read(): Promise<T>;
  /** Changes the state and writes it. One after the other, each from what the file holds then. */
  update<R>(change: (state: T) => R): Promise<R>;
}

/** Keeps a piece of state in a file. */
export function createStateFile<T>(options: StateFileOptions<T>): StateFile<T> {
  let lastWrite: Promise<unknown> = Promise.resolve();
  return {
    path: options.path,
    read: () => readState(options),
    update(change) {
      const next = lastWrite.then(async () => {
        const state = await readState(options);
        const result = change(state);
        const content = { version: 1, ...options.serialize(state) };
        await writePrivateFile(options.path, `${JSON.stringify(content, null, 2)}\n`);
        return result;
      });
      lastWrite = next.catch(() => {});
      return next;
    },
  };
}

async function readState<T>({ path, what, remedy, parse, logger }: StateFileOptions<T>): Promise<T> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (!isAbsent(error)) logger.warn(`The ${what} in ${path} cannot be read: ${messageOf(error)}`);
    return parse(undefined);
  }
  try {
    return parse(JSON.parse(text));
  } catch {
    logger.warn(`The ${what} in ${path} are damaged and count as not given; ${remedy}.`);
    return parse(undefined);
  }
}

function isAbsent(error: unknown): boolean {
  return isRecord(error) && error["code"] === "ENOENT";
}
