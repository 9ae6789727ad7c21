/**
 * Makes a checkout ready to run: installs the dependencies and builds the packages, each only when it is missing or
 * older than what it is made from. Uses nothing but Node, since it runs before anything is installed.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const stampFile = join(root, "node_modules", ".toolgate-bootstrap.json");
const WORKSPACE_FOLDERS = ["packages", "apps"];

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Toolgate needs Node 20.19 or newer; this is ${process.version} (${process.execPath}).`);
  process.exit(1);
}

const stamp = readStamp();
const install = hash([readFileSync(join(root, "package-lock.json"))]);
if (stamp.install !== install) {
  step("Installing dependencies", "npm", [
    "ci",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    "--include=dev",
    "--include=optional",
  ]);
  writeStamp({ install });
}

const build = hash([JSON.stringify(sourceFacts())]);
if (stamp.install !== install || stamp.build !== build || !everyPackageIsBuilt()) {
  step("Building packages", process.execPath, [
    join(root, "node_modules", "turbo", "bin", "turbo"),
    "run",
    "build",
    "--output-logs=errors-only",
  ]);
  writeStamp({ install, build });
}

/**
 * Runs one step and shows what it does; its output goes to stderr, so that stdout stays the command's own.
 *
 * @param {string} title
 * @param {string} command
 * @param {string[]} args
 */
function step(title, command, args) {
  process.stderr.write(
    `${title} (${[command === process.execPath ? "turbo" : command, ...args.slice(command === process.execPath ? 1 : 0)].join(" ")}) …\n`,
  );
  const started = performance.now();
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", 2, 2],
    // npm is a .cmd file on Windows, which only a shell can start.
    shell: process.platform === "win32" && command === "npm",
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1", DO_NOT_TRACK: "1" },
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (result.status !== 0) {
    const reason = result.error?.message ?? `it ended with ${result.signal ?? `exit status ${result.status}`}`;
    process.stderr.write(
      `${title} failed after ${seconds} s: ${reason}. The output above says why; run it again when that is mended.\n`,
    );
    process.exit(1);
  }
  process.stderr.write(`${title}: done in ${seconds} s\n`);
}

/** @returns {{ install?: string, build?: string }} */
function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, "utf8"));
  } catch {
    // No stamp, or a damaged one: everything is checked again.
    return {};
  }
}

/** @param {{ install: string, build?: string }} value */
function writeStamp(value) {
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, JSON.stringify(value));
}

/** Path, size and time of every file that a build reads: cheap to collect, and different after every edit. */
function sourceFacts() {
  const files = [join(root, "tsconfig.base.json"), ...walk(join(root, "tooling", "build"))];
  for (const directory of workspaces()) {
    files.push(
      join(directory, "package.json"),
      join(directory, "tsconfig.build.json"),
      ...walk(join(directory, "src")),
    );
  }
  return files
    .filter((file) => existsSync(file))
    .map((file) => {
      const { size, mtimeMs } = statSync(file);
      return [relative(root, file), size, mtimeMs];
    });
}

function everyPackageIsBuilt() {
  return workspaces().every((directory) => existsSync(join(directory, "dist", "index.js")));
}

function workspaces() {
  return WORKSPACE_FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(root, folder, name)),
  ).filter((directory) => existsSync(join(directory, "package.json")));
}

/**
 * @param {string} directory
 * @returns {string[]}
 */
function walk(directory) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? walk(join(directory, entry.name)) : [join(directory, entry.name)],
  );
}

/** @param {(string | Buffer)[]} parts */
function hash(parts) {
  const digest = createHash("sha256");
  for (const part of parts) digest.update(part);
  return digest.digest("hex");
}
