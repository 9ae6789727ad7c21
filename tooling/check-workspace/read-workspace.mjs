import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * @typedef {{ directory: string, manifest: Record<string, any>, entries: string[], sources: SourceFile[] }} Package
 * @typedef {{ path: string, text: string }} SourceFile
 * @typedef {{ packages: Package[], files: SourceFile[] }} Workspace
 */

/**
 * Reads the packages and every text file that git knows or would add.
 *
 * @param {string} root
 * @returns {Workspace}
 */
export function readWorkspace(root) {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
    cwd: root,
    encoding: "utf8",
  });
  const files = listed
    .split("\0")
    .filter((path) => path !== "")
    .flatMap((path) => readText(root, path));
  const packages = ["packages", "apps"].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => {
      const directory = `${folder}/${name}`;
      const own = files.filter((file) => file.path.startsWith(`${directory}/`));
      return {
        directory,
        manifest: JSON.parse(own.find((file) => file.path === `${directory}/package.json`)?.text ?? "{}"),
        entries: [...new Set(own.map((file) => file.path.slice(directory.length + 1).split("/")[0] ?? ""))],
        sources: own.filter((file) => file.path.startsWith(`${directory}/src/`)),
      };
    }),
  );
  return { packages, files };
}

/** @param {string} root @param {string} path @returns {SourceFile[]} */
function readText(root, path) {
  try {
    const text = readFileSync(join(root, path), "utf8");
    return text.includes("\0") ? [] : [{ path, text }];
  } catch {
    // Deleted in the working tree and not yet in the index.
    return [];
  }
}
