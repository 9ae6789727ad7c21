/**
 * Every promise of `docs/requirements.md` is cited by a test, and no test cites what is not promised.
 *
 * @param {import("./read-workspace.mjs").Workspace} workspace
 * @returns {string[]} problems
 */
export function checkRequirements({ files }) {
  const text = files.find((file) => file.path === "docs/requirements.md")?.text ?? "";
  const promised = new Set([...text.matchAll(/^- \*\*([LX]\d\d)\*\*/gm)].map(([, id = ""]) => id));
  /** @type {Map<string, string>} */
  const cited = new Map();
  for (const { path, text: source } of files.filter((file) => file.path.endsWith(".test.ts"))) {
    for (const [, ids = ""] of source.matchAll(/\bverifies\(\s*"([^"]*)"/g)) {
      for (const id of ids.split(/\s+/).filter((part) => part !== "")) cited.set(id, path);
    }
  }
  return [
    ...[...promised].filter((id) => !cited.has(id)).map((id) => `docs/requirements.md: no test cites ${id}`),
    ...[...cited]
      .filter(([id]) => !promised.has(id))
      .map(([id, path]) => `${path}: cites ${id}, which is not in docs/requirements.md`),
  ];
}
