/** That no file that is kept says where it was made: paths of a machine, or the registry that served it. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const RULES = [
  // Not inside URLs and longer paths, such as https://example.com/work/ or src/root/.
  { what: "a path of one machine", pattern: /(?<![\w.~/-])\/(?:work|root|tmp\/claude[\w-]*)\/[\w.-]/ },
  {
    what: "a path of one person's home",
    pattern: /(?<![\w.~/-])\/(?:home|Users)\/(?!ada\b|me\b|user\b|you\b)[a-z][\w-]*\/[\w.-]/i,
  },
  {
    what: "a registry's host",
    pattern: /\bregistry\.(?:npmjs|yarnpkg|npmmirror)\.(?:org|com)\b|"resolved":\s*"https?:/,
  },
];
const BINARY = /\.(?:png|jpe?g|gif|ico|woff2?|zip|tgz|gz)$/i;

/**
 * @param {string} root of a git checkout
 * @returns {string[]} problems
 */
export function checkTexts(root) {
  const tracked = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return tracked
    .split("\0")
    .filter((file) => file !== "" && !BINARY.test(file))
    .flatMap((file) => findInText(file, readTracked(join(root, file))));
}

/**
 * @param {string} file its name, for the problems
 * @param {string} text
 * @returns {string[]}
 */
export function findInText(file, text) {
  return text
    .split("\n")
    .flatMap((line, index) =>
      RULES.filter(({ pattern }) => pattern.test(line)).map(({ what }) => `${file}:${index + 1}: ${what}`),
    );
}

/** @param {string} path */
function readTracked(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    // Tracked and removed, or a link to a directory.
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === "ENOENT" || code === "EISDIR") return "";
    throw error;
  }
}
