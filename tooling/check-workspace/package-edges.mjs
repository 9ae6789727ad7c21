/** Which package may use which: the direction of dependency, and the libraries that one package has to itself. */
import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, relative, resolve } from "node:path";

import ts from "typescript";

import { findPackages, listFiles, SCOPE } from "./workspace.mjs";

/** @type {Record<string, string[]>} */
export const ALLOWED_EDGES = {
  contracts: [],
  "capability-discovery": ["contracts"],
  "mcp-client": ["contracts"],
  "tool-cache": ["contracts"],
  "exa-filter": ["contracts"],
  "mcp-manager": ["contracts", "capability-discovery", "mcp-client", "exa-filter"],
  agent: ["contracts", "capability-discovery", "mcp-client", "exa-filter", "mcp-manager", "tool-cache"],
};

/** Libraries that only one package imports, so that they can be replaced there. */
const OWNED = [
  { pattern: /^@modelcontextprotocol\//, owner: "mcp-client" },
  { pattern: /^(?:keyv|@keyv\/.+)$/, owner: "tool-cache" },
  { pattern: /^cosmiconfig$/, owner: "capability-discovery" },
];

/**
 * @param {string} root
 * @returns {string[]} problems
 */
export function checkPackageEdges(root) {
  return findPackages(root).flatMap(({ folder, directory, manifest }) => {
    const name = manifest.name.replace(SCOPE, "");
    const allowed = ALLOWED_EDGES[name];
    if (allowed === undefined) return [`${folder}: ${manifest.name} has no place among the allowed edges`];
    const declared = Object.keys({
      ...manifest.dependencies,
      ...manifest.peerDependencies,
      ...manifest.optionalDependencies,
    });
    const problems = declared.flatMap((dependency) =>
      forbidden(name, allowed, dependency).map((why) => `${folder}/package.json: depends on ${dependency}, ${why}`),
    );
    for (const file of listFiles(resolve(directory, "src")).filter((path) => /\.[cm]?[jt]s$/.test(path))) {
      for (const specifier of importsOf(file)) {
        const where = relative(root, file).replaceAll("\\", "/");
        if (specifier.startsWith(".")) {
          const target = relative(resolve(directory, "src"), resolve(dirname(file), specifier));
          if (target.startsWith("..")) problems.push(`${where}: imports ${specifier}, a file outside of src`);
          continue;
        }
        if (isBuiltIn(specifier)) continue;
        const dependency = packageOf(specifier);
        problems.push(...forbidden(name, allowed, dependency).map((why) => `${where}: imports ${specifier}, ${why}`));
        if (!declared.includes(dependency) && dependency !== manifest.name)
          problems.push(`${where}: imports ${specifier}, which ${folder}/package.json does not declare`);
      }
    }
    return problems;
  });
}

/** @param {string} name @param {string[]} allowed @param {string} dependency */
function forbidden(name, allowed, dependency) {
  if (dependency.startsWith(SCOPE)) {
    const target = dependency.replace(SCOPE, "");
    return allowed.includes(target) || target === name ? [] : [`but ${name} may use only: ${allowed.join(", ")}`];
  }
  return OWNED.filter(({ pattern, owner }) => pattern.test(dependency) && owner !== name).map(
    ({ owner }) => `which only ${owner} does`,
  );
}

/**
 * Static and dynamic imports, re-exports and type imports of one file.
 *
 * @param {string} file
 */
function importsOf(file) {
  const { importedFiles } = ts.preProcessFile(readFileSync(file, "utf8"), true, true);
  return [...new Set(importedFiles.map((found) => found.fileName))];
}

/** @param {string} specifier */
function isBuiltIn(specifier) {
  return specifier.startsWith("node:") || builtinModules.includes(specifier);
}

/** @param {string} specifier */
function packageOf(specifier) {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
