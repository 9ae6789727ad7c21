/** Finds the packages of a workspace, and the files in them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {Record<string, unknown>} [exports]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, string>} [optionalDependencies]
 */

/**
 * @typedef {object} WorkspacePackage
 * @property {string} folder relative to the root, for example `packages/contracts`
 * @property {string} directory absolute
 * @property {Manifest & Record<string, unknown>} manifest
 */

export const SCOPE = "@toolgate/";

/**
 * @param {string} root
 * @returns {WorkspacePackage[]}
 */
export function findPackages(root) {
  return ["packages", "apps"].flatMap((parent) => {
    if (!existsSync(join(root, parent))) return [];
    return readdirSync(join(root, parent))
      .toSorted()
      .map((name) => ({ folder: `${parent}/${name}`, directory: join(root, parent, name) }))
      .filter(({ directory }) => existsSync(join(directory, "package.json")))
      .map((found) => ({
        ...found,
        manifest: JSON.parse(readFileSync(join(found.directory, "package.json"), "utf8")),
      }));
  });
}

/**
 * Every file below a directory, none when it does not exist; what is installed or built is left out.
 *
 * @param {string} directory
 * @returns {string[]} absolute paths
 */
export function listFiles(directory) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.name !== "node_modules" && entry.name !== "dist")
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      return entry.isDirectory() ? listFiles(path) : [path];
    });
}
