/** The ten real servers of the anchor run, and the scratch home and project that configure them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const NAMES = { filesystem: 3, everything: 3, memory: 2, "sequential-thinking": 2 };

/** How many tools the ten servers list for a client that declares nothing. */
export const ANCHOR_TOOLS = 101;

/**
 * @param {string} directory - what the filesystem servers may see and the memory servers write to
 * @returns {Record<string, { command: string, args: string[], env?: Record<string, string> }>}
 */
export function anchorServers(directory) {
  return Object.fromEntries(
    Object.entries(NAMES).flatMap(([name, count]) =>
      Array.from({ length: count }, (_, index) => [`${name}${index + 1}`, serverConfig(name, directory, index)]),
    ),
  );
}

/**
 * A home and a project whose `.mcp.json` names the given servers.
 *
 * @param {(directory: string) => Record<string, object>} servers
 */
export function createScratch(servers) {
  const root = mkdtempSync(join(tmpdir(), "toolgate-bench-"));
  const home = join(root, "home");
  const project = join(root, "project");
  mkdirSync(home);
  mkdirSync(project);
  writeFileSync(join(project, ".mcp.json"), JSON.stringify({ mcpServers: servers(project) }));
  const cache = join(root, "cache");
  return { home, project, cache, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** @param {string} name @param {string} directory @param {number} index */
function serverConfig(name, directory, index) {
  const manifest = require.resolve(`@modelcontextprotocol/server-${name}/package.json`);
  const entry = join(dirname(manifest), "dist", "index.js");
  /** @type {{ command: string, args: string[], env?: Record<string, string> }} */
  const config = { command: process.execPath, args: [entry] };
  if (name === "filesystem") config.args.push(directory);
  if (name === "everything") config.args.push("stdio");
  if (name === "memory") config.env = { MEMORY_FILE_PATH: join(directory, `memory${index}.json`) };
  return config;
}
