/** That all packages are laid out and described in the same way. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { findPackages, SCOPE } from "./workspace.mjs";

const REQUIRED = [
  "README.md",
  "CHANGELOG.md",
  "LICENSE",
  "package.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "src",
  "test",
];
const OPTIONAL = ["bench", "bin"];
// Made by installing and building; git ignores them.
const IGNORED = new Set(["dist", "node_modules", ".turbo", "coverage"]);
const README_HEADINGS = ["Why", "Install", "Use", "API", "Errors", "Extending", "Limits"];
const README_LINES = 150;

/**
 * @param {string} root
 * @returns {string[]} problems
 */
export function checkPackageShape(root) {
  const rootManifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const packages = findPackages(root);
  const versions = new Map(packages.map(({ manifest }) => [manifest.name, manifest.version]));
  return packages.flatMap((found) => [
    ...checkSkeleton(found),
    ...checkReadme(found),
    ...checkManifest(found, rootManifest, versions).map((problem) => `${found.folder}/package.json: ${problem}`),
  ]);
}

/** @param {import("./workspace.mjs").WorkspacePackage} found */
function checkSkeleton({ folder, directory }) {
  const present = readdirSync(directory).filter((name) => !IGNORED.has(name));
  return [
    ...REQUIRED.filter((name) => !present.includes(name)).map((name) => `${folder}: ${name} is missing`),
    ...present
      .filter((name) => !REQUIRED.includes(name) && !OPTIONAL.includes(name))
      .map((name) => `${folder}: ${name} is not part of a package`),
  ];
}

/** @param {import("./workspace.mjs").WorkspacePackage} found */
function checkReadme({ folder, directory }) {
  const path = join(directory, "README.md");
  if (!existsSync(path)) return [];
  const text = readFileSync(path, "utf8");
  const headings = [...text.matchAll(/^## (.+)$/gm)].map((match) => match[1]);
  const problems = [];
  if (JSON.stringify(headings) !== JSON.stringify(README_HEADINGS))
    problems.push(`${folder}/README.md: the headings must be ${README_HEADINGS.join(", ")}`);
  const lines = text.trimEnd().split("\n").length;
  if (lines > README_LINES) problems.push(`${folder}/README.md: ${lines} lines, at most ${README_LINES}`);
  return problems;
}

/**
 * @param {import("./workspace.mjs").WorkspacePackage} found
 * @param {Record<string, any>} rootManifest
 * @param {Map<string, string>} versions
 */
function checkManifest({ folder, directory, manifest }, rootManifest, versions) {
  const problems = [];
  const name = `${SCOPE}${folder.split("/")[1]}`;
  /** @type {[field: string, expected: unknown][]} */
  const fixed = [
    ["name", name],
    ["type", "module"],
    ["sideEffects", false],
    ["license", rootManifest["license"]],
    ["engines", rootManifest["engines"]],
    ["publishConfig", { access: "public" }],
  ];
  for (const [field, expected] of fixed) {
    if (JSON.stringify(manifest[field]) !== JSON.stringify(expected))
      problems.push(`"${field}" must be ${JSON.stringify(expected)}`);
  }
  if (typeof manifest["description"] !== "string" || manifest["description"] === "")
    problems.push('"description" is missing');
  const files = Array.isArray(manifest["files"]) ? manifest["files"] : [];
  for (const entry of ["dist", "README.md", "CHANGELOG.md", "LICENSE"]) {
    if (!files.includes(entry)) problems.push(`"files" lacks ${entry}`);
  }
  problems.push(...checkExports(directory, manifest.exports ?? {}));
  for (const [dependency, version] of Object.entries(manifest.dependencies ?? {})) {
    const current = versions.get(dependency);
    if (current !== undefined && version !== current)
      problems.push(`${dependency} is wanted as ${version} and is ${current}`);
  }
  return problems;
}

/** @param {string} directory @param {Record<string, unknown>} exportMap */
function checkExports(directory, exportMap) {
  const problems = [];
  if (exportMap["."] === undefined) problems.push('"exports" lacks "."');
  if (exportMap["./package.json"] !== "./package.json") problems.push('"exports" lacks "./package.json"');
  for (const [key, target] of Object.entries(exportMap)) {
    if (key === "./package.json") continue;
    const entry = key === "." ? "index" : key.slice(2);
    const expected = {
      "@toolgate/source": `./src/${entry}.ts`,
      types: `./dist/${entry}.d.ts`,
      default: `./dist/${entry}.js`,
    };
    // The order matters too: the first condition that holds is taken.
    if (JSON.stringify(target) !== JSON.stringify(expected))
      problems.push(`"exports" of "${key}" must be ${JSON.stringify(expected)}`);
    else if (!existsSync(join(directory, "src", `${entry}.ts`))) problems.push(`src/${entry}.ts is missing`);
  }
  return problems;
}
