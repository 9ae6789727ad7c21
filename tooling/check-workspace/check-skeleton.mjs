const REQUIRED = [
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "package.json",
  "src",
  "test",
  "tsconfig.build.json",
  "tsconfig.json",
];
const OPTIONAL = ["bench", "bin", "schema"];
const README_LINES = 150;

/**
 * Every package has the same files and the same kind of manifest, so that a reader who knows one knows all.
 *
 * @param {import("./read-workspace.mjs").Workspace} workspace
 * @returns {string[]} problems
 */
export function checkSkeleton({ packages, files }) {
  return packages.flatMap(({ directory, manifest, entries }) => {
    const problems = [
      ...REQUIRED.filter((name) => !entries.includes(name)).map((name) => `${directory}: ${name} is missing`),
      ...entries
        .filter((name) => !REQUIRED.includes(name) && !OPTIONAL.includes(name))
        .map((name) => `${directory}: ${name} is not part of a package`),
      ...manifestProblems(manifest).map((problem) => `${directory}/package.json: ${problem}`),
    ];
    const readme = files.find((file) => file.path === `${directory}/README.md`)?.text ?? "";
    if (readme.split("\n").length > README_LINES)
      problems.push(`${directory}/README.md: more than ${README_LINES} lines`);
    return problems;
  });
}

/** @param {Record<string, any>} manifest @returns {string[]} */
function manifestProblems(manifest) {
  const problems = [];
  if (manifest["type"] !== "module") problems.push('"type" must be "module"');
  if (manifest["sideEffects"] !== false) problems.push('"sideEffects" must be false');
  if (manifest["license"] !== "MIT") problems.push('"license" must be "MIT"');
  if (manifest["engines"]?.["node"] !== ">=20.19.0") problems.push('"engines.node" must be ">=20.19.0"');
  if (!manifest["description"]) problems.push('"description" is missing');
  for (const file of ["dist", "README.md", "CHANGELOG.md", "LICENSE"]) {
    if (!manifest["files"]?.includes(file)) problems.push(`"files" lacks "${file}"`);
  }
  for (const [entry, target] of Object.entries(manifest["exports"] ?? {})) {
    // Data is the same file for everybody.
    if (entry.endsWith(".json")) continue;
    const conditions = Object.keys(target);
    if (conditions.join() !== "@toolgate/source,types,default") {
      problems.push(`"exports" of "${entry}" must have the conditions @toolgate/source, types, default in this order`);
    }
  }
  if (manifest["exports"]?.["./package.json"] !== "./package.json") problems.push('"exports" lacks "./package.json"');
  return problems;
}
