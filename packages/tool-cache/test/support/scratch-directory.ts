import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A directory of one test's own. */
export interface ScratchDirectory {
  path: string;
  file: (...names: string[]) => string;
  remove: () => void;
}

/** Makes a directory of a test's own; the caller removes it. */
export function scratchDirectory(): ScratchDirectory {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-test-")));
  return {
    path,
    file: (...names) => join(path, ...names),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
