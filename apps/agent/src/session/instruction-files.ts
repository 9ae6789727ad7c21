import { open, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

import { findNativeUserFile, findProjectFolders } from "@toolgate/capability-discovery";

import { findWithin } from "../native-tools/path-scope.ts";
import type { SettingsPlaces } from "../settings/load-settings.ts";

/** What people write instructions for agents into. */
const FILE_NAME = "AGENTS.md";

/** Bytes of all files together that are read. */
const MAX_BYTES = 32 * 1024;

/** Instructions that a person or a project has for every agent. */
export interface InstructionFile {
  path: string;
  text: string;
  /** Whether the end of the file is left out. */
  isCut: boolean;
}

/**
 * Reads the instructions that there are for an agent: `AGENTS.md` beside the user's own settings, then those of the
 * project from the root of its repository down to the working directory, so that the nearest one comes last. Together
 * they have 32 KiB, of which the user's own gets its share first, so that no project can crowd it out, and then the
 * nearest. A file that cannot be read is left out, and so are binary data, and a link of the project to somewhere else:
 * what a stranger's repository points at is sent to a model unasked.
 *
 * @param options - `project`: whether those of the project are read.
 */
export async function readInstructionFiles(
  places: SettingsPlaces,
  { project }: { project: boolean },
): Promise<InstructionFile[]> {
  const projectFolders = project ? findProjectFolders(places) : [];
  const root = projectFolders.at(-1);
  const userFolder = dirname(findNativeUserFile(places));
  const files: InstructionFile[] = [];
  let left = MAX_BYTES;
  for (const folder of new Set([userFolder, ...projectFolders])) {
    const path = join(folder, FILE_NAME);
    // The user's own may be a link to wherever they keep it.
    const source = folder === userFolder || root === undefined ? path : await findWithin(root, path);
    const { text, isCut, bytes } = source === undefined ? NOTHING : await readBeginning(source, left);
    left -= bytes;
    if (text.trim() !== "") files.push({ path, text: text.trim(), isCut });
  }
  const isOwn = ({ path }: InstructionFile): boolean => dirname(path) === userFolder;
  return [...files.filter(isOwn), ...files.filter((file) => !isOwn(file)).toReversed()];
}

const NOTHING = { text: "", isCut: false, bytes: 0 };

async function readBeginning(path: string, limit: number): Promise<typeof NOTHING> {
  try {
    const found = await stat(path);
    // Opening a pipe would wait for whoever writes into it.
    if (!found.isFile()) return NOTHING;
    await using file = await open(path, "r");
    const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(found.size, limit)), { position: 0 });
    const isCut = found.size > bytesRead;
    // A character that the end cuts in two is left out, not replaced.
    const text = new TextDecoder().decode(buffer.subarray(0, bytesRead), { stream: isCut });
    return text.includes("\0") ? NOTHING : { text, isCut, bytes: bytesRead };
  } catch {
    return NOTHING;
  }
}
