import { fileURLToPath } from "node:url";

/**
 * Path of a program of the tour, which the build puts beside the package's other files: a child runs it with plain
 * Node, whatever runs the tour itself.
 *
 * @param name - Without ending.
 */
export function companionFile(name: string): string {
  return fileURLToPath(new URL(`dist/demo/${name}.js`, import.meta.resolve("@toolgate/agent/package.json")));
}
