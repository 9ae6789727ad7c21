import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

import { writePrivateFile } from "./private-file.ts";
import type { StartRecord } from "./start-record.ts";
import { isStartRecord } from "./start-record.ts";
import type { HostPlaces } from "./state-directory.ts";
import { stateDirectory } from "./state-directory.ts";

/** How many starts are kept. */
export const KEPT_STARTS = 10;

/**
 * Remembers how servers were started.
 *
 * Contract: a file that is damaged counts as absent; only writing rejects.
 */
export interface StartStore {
  /** Where the records are kept, one file each. */
  readonly directory: string;
  /** Keeps a record, and forgets those before the last {@link KEPT_STARTS}. */
  save(record: StartRecord): Promise<void>;
  /** The record of the start that began last. */
  latest(): Promise<StartRecord | undefined>;
}

/** A store in the state directory; its files can be read by their owner alone (mode 0600). */
export function createStartStore(places: HostPlaces): StartStore {
  const directory = join(stateDirectory(places), "starts");
  return {
    directory,
    async save(record) {
      // One file per start, so that processes that write at once lose nothing.
      const name = `${new Date(record.time).toISOString().replaceAll(/[:.]/g, "-")}-${process.pid}.json`;
      await writePrivateFile(join(directory, name), `${JSON.stringify(record)}\n`);
      const outdated = (await listRecords(directory)).slice(KEPT_STARTS);
      await Promise.all(outdated.map((file) => rm(join(directory, file), { force: true })));
    },
    async latest() {
      for (const file of await listRecords(directory)) {
        const record = await readRecord(join(directory, file));
        if (record !== undefined) return record;
      }
      return undefined;
    },
  };
}

/** Names of the files, the newest first: they begin with the time. */
async function listRecords(directory: string): Promise<string[]> {
  try {
    const files = await readdir(directory);
    return files
      .filter((file) => file.endsWith(".json"))
      .toSorted()
      .toReversed();
  } catch {
    return [];
  }
}

async function readRecord(path: string): Promise<StartRecord | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    return isStartRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
