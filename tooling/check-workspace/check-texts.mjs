/** What no committed text may say: where somebody's machine keeps things, and which registry was asked. */
const FORBIDDEN = [
  {
    pattern: /(?<![\w.~/-])\/(?:work|root|home\/(?!user\b|me\b|ada\b|\$|<)[a-z]+)\/[\w.-]+/,
    reason: "an absolute path of a machine",
  },
  { pattern: new RegExp(["registry", "npmjs", "org"].join("\\.")), reason: "a registry host" },
];

/**
 * @param {import("./read-workspace.mjs").Workspace} workspace
 * @returns {string[]} problems
 */
export function checkTexts({ files }) {
  return files
    .filter(({ path }) => !/\/(?:fixtures|corpus)\//.test(path))
    .flatMap(({ path, text }) =>
      text
        .split("\n")
        .flatMap((line, index) =>
          FORBIDDEN.filter(({ pattern }) => pattern.test(line)).map(({ reason }) => `${path}:${index + 1}: ${reason}`),
        ),
    );
}
