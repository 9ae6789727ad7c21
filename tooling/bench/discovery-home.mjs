/** A home directory and a project of somebody who uses every client: 30 files with two servers each. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Files whose servers are a JSON object at one key, by that key. */
const JSON_FILES = {
  mcpServers: [
    "home/.config/toolgate/config.json",
    "home/.claude.json",
    "home/.cursor/mcp.json",
    "home/.codeium/windsurf/mcp_config.json",
    "home/.config/Claude/claude_desktop_config.json",
    "home/.gemini/settings.json",
    "home/.qwen/settings.json",
    "home/.kiro/settings/mcp.json",
    "home/.junie/mcp/mcp.json",
    "home/.copilot/mcp-config.json",
    "home/.factory/mcp.json",
    "home/.kimi-code/mcp.json",
    "home/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
    "home/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
    "home/.mcporter/mcporter.json",
    "project/.mcp.json",
    "project/.cursor/mcp.json",
    "project/.roo/mcp.json",
    "project/.kiro/settings/mcp.json",
    "project/.gemini/settings.json",
  ],
  servers: [
    "home/.config/Code/User/mcp.json",
    "project/.vscode/mcp.json",
    "home/.config/github-copilot/intellij/mcp.json",
  ],
  context_servers: ["home/.config/zed/settings.json", "project/.zed/settings.json"],
  "amp.mcpServers": ["home/.config/amp/settings.json"],
};

const entry = (/** @type {string} */ name) => ({
  command: "npx",
  args: ["-y", `@example/${name}-server`, "--root", "/srv/data"],
  env: { LOG_LEVEL: "info", API_BASE: `https://${name}.example/api/v1` },
});

/** @param {string} name */
function jsonText(name, key = "mcpServers") {
  return JSON.stringify({ [key]: { [`${name}-a`]: entry(`${name}-a`), [`${name}-b`]: entry(`${name}-b`) } }, null, 2);
}

/** @param {string} name */
function tomlText(name) {
  return ["a", "b"]
    .map((suffix) => {
      const { command, args, env } = entry(`${name}-${suffix}`);
      const variables = Object.entries(env).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
      return `[mcp_servers.${name}-${suffix}]\ncommand = "${command}"\nargs = ${JSON.stringify(args)}\nenv = { ${variables.join(", ")} }\n`;
    })
    .join("\n");
}

/** @param {string} name */
function yamlText(name) {
  const blocks = ["a", "b"].map((suffix) => {
    const { args, env } = entry(`${name}-${suffix}`);
    return `  ${name}-${suffix}:\n    type: stdio\n    cmd: npx\n    args: ${JSON.stringify(args)}\n    envs: ${JSON.stringify(env)}\n`;
  });
  return `extensions:\n${blocks.join("")}`;
}

/** @param {string} name */
function opencodeText(name) {
  const servers = ["a", "b"].map((suffix) => {
    const { command, args, env } = entry(`${name}-${suffix}`);
    return [`${name}-${suffix}`, { type: "local", command: [command, ...args], environment: env }];
  });
  return JSON.stringify({ mcp: Object.fromEntries(servers) }, null, 2);
}

/**
 * Makes the folders.
 *
 * @returns {{ home: string; project: string; empty: string; files: { path: string; json: string }[]; remove: () => void }}
 *   `json` is what a plain `JSON.parse` is given for the file: its own text, or JSON of the same length.
 */
export function createDiscoveryHome() {
  const root = mkdtempSync(join(tmpdir(), "toolgate-bench-discovery-"));
  /** @type {{ path: string; json: string }[]} */
  const files = [];
  const add = (/** @type {string} */ path, /** @type {string} */ text, json = text) => {
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    files.push({ path: target, json: json.padEnd(text.length) });
  };
  let number = 0;
  const nextName = () => `server-${(number += 1)}`;
  for (const [key, paths] of Object.entries(JSON_FILES)) for (const path of paths) add(path, jsonText(nextName(), key));
  add("home/.config/opencode/opencode.json", opencodeText(nextName()));
  for (const path of ["home/.codex/config.toml", "project/.codex/config.toml"]) {
    const name = nextName();
    add(path, tomlText(name), jsonText(name));
  }
  const name = nextName();
  add("home/.config/goose/config.yaml", yamlText(name), jsonText(name));
  const [home, project, empty] = ["home", "project", "empty"].map((folder) => join(root, folder));
  if (home === undefined || project === undefined || empty === undefined)
    throw new Error("three folders were asked for");
  for (const folder of [join(project, ".git"), empty]) mkdirSync(folder, { recursive: true });
  return { home, project, empty, files, remove: () => rmSync(root, { recursive: true, force: true }) };
}
