import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../fixtures/", import.meta.url));

/** All files of a fixture folder by their relative paths. `dotenv-` in a name stands for `.env.`, which git ignores. */
export function readFixture(folder: string): Record<string, string> {
  const base = join(root, folder);
  const entries = readdirSync(base, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative(base, path).replace("dotenv-", ".env."), readFileSync(path, "utf8")];
    }),
  );
}
