/**
 * Builds the package in the working directory: declarations by tsc, one JavaScript file per entry point by rolldown.
 *
 * One file per entry point because each further module on the way of a warm start costs about a millisecond; what is
 * imported dynamically becomes a chunk of its own and stays lazy. Dependencies are never bundled.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import { rolldown } from "rolldown";

const directory = process.cwd();
/** @type {{ exports: Record<string, unknown>, toolgate?: { entries?: string[] } }} */
const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));

rmSync(join(directory, "dist"), { recursive: true, force: true });
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { cwd: directory, stdio: "inherit" });

const bundle = await rolldown({
  cwd: directory,
  input: entryPoints(),
  platform: "node",
  // Everything that is not a file of this package stays an import.
  external: (id) =>
    !id.startsWith("@oxc-project/runtime") && !id.startsWith(".") && !id.startsWith("/") && !/^[A-Za-z]:/.test(id),
  treeshake: { moduleSideEffects: false },
  transform: { target: "node20.19" },
});
await bundle.write({
  dir: "dist",
  format: "esm",
  sourcemap: true,
  entryFileNames: "[name].js",
  chunkFileNames: "[name]-[hash].js",
});
await bundle.close();

/** @returns {Record<string, string>} entry names and their source files, read off the export map */
function entryPoints() {
  const sources = [...sourceConditions(manifest.exports), ...(manifest.toolgate?.entries ?? [])];
  return Object.fromEntries(sources.map((source) => [source.replace(/^\.\/src\//, "").replace(/\.ts$/, ""), source]));
}

/**
 * @param {Record<string, unknown>} exportMap
 * @returns {string[]}
 */
function sourceConditions(exportMap) {
  return Object.values(exportMap).flatMap((target) => {
    const source = typeof target === "object" && target !== null ? Reflect.get(target, "@toolgate/source") : undefined;
    return typeof source === "string" ? [source] : [];
  });
}
