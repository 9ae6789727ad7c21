import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { companionFile } from "./companion-file.ts";

/** A home and a project of their own, which exist for one tour. */
export interface ScratchProject {
  home: string;
  /** The working directory of the tour. */
  project: string;
  /** The host's environment with this home in it and without anything that points to another one. */
  env: Record<string, string | undefined>;
  /** Adds a server to the native file and takes one out of it, as a person would by hand. */
  edit(): Promise<{ added: string; removed: string }>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** npm packages of the servers that the tour starts. */
const TOUR_SERVERS = [
  "@modelcontextprotocol/server-everything",
  "@modelcontextprotocol/server-filesystem",
  "@modelcontextprotocol/server-memory",
  "@modelcontextprotocol/server-sequential-thinking",
] as const;

/** Names the servers of the tour that are not installed beside this package. */
export function missingTourServers(): string[] {
  return TOUR_SERVERS.filter((name) => locateServer(name) === undefined);
}

/** Writes the configuration of five clients into a scratch home and project. */
export async function createScratchProject(hostEnv: Record<string, string | undefined>): Promise<ScratchProject> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "toolgate-tour-")));
  const home = join(root, "home");
  const project = join(root, "project");
  const files = node("@modelcontextprotocol/server-filesystem", project);
  const nativeFile = join(project, ".toolgate", "mcp.json");
  const slow = { command: process.execPath, args: [companionFile("slow-server"), "1500"] };
  const broken = { command: process.execPath, args: [companionFile("broken-server")] };

  await write(join(project, "README.md"), "# A scratch project\n\nThe tour's servers work on this folder.\n");
  await write(join(home, ".cursor", "mcp.json"), {
    mcpServers: {
      ev: node("@modelcontextprotocol/server-everything", "stdio"),
      files: node("@modelcontextprotocol/server-filesystem", home),
    },
  });
  await write(join(project, ".mcp.json"), { mcpServers: { files } });
  await write(join(project, ".vscode", "mcp.json"), {
    servers: {
      memory: {
        type: "stdio",
        ...node("@modelcontextprotocol/server-memory"),
        env: { MEMORY_FILE_PATH: "${workspaceFolder}/memory.json" },
      },
    },
  });
  const think = node("@modelcontextprotocol/server-sequential-thinking");
  await write(
    join(home, ".codex", "config.toml"),
    `[mcp_servers.think]\ncommand = ${JSON.stringify(think.command)}\nargs = ${JSON.stringify(think.args)}\n`,
  );
  await write(nativeFile, { mcpServers: { slow, broken } });

  return {
    home,
    project,
    env: scratchEnvironment(hostEnv, home),
    async edit() {
      const extra = { command: process.execPath, args: [companionFile("slow-server"), "0"] };
      await write(nativeFile, { mcpServers: { broken, extra } });
      return { added: "extra", removed: "slow" };
    },
    async [Symbol.asyncDispose]() {
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function write(file: string, content: object | string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`);
}

function node(name: string, ...args: string[]): { command: string; args: string[] } {
  return { command: process.execPath, args: [locateServer(name) ?? name, ...args] };
}

function locateServer(name: string): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(dirname(manifest), "dist", "index.js");
  } catch {
    return undefined;
  }
}

function scratchEnvironment(
  hostEnv: Record<string, string | undefined>,
  home: string,
): Record<string, string | undefined> {
  const redirected = /^(XDG_.*|CLAUDE_CONFIG_DIR|CODEX_HOME|APPDATA|LOCALAPPDATA)$/;
  const kept = Object.entries(hostEnv).filter(([name]) => !redirected.test(name));
  return { ...Object.fromEntries(kept), HOME: home, USERPROFILE: home };
}
