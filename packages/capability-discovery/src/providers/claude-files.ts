import { isRecord } from "@toolgate/contracts";

import type { SourceFile } from "../capability.ts";
import { readPath } from "../file-provider.ts";
import type { FinishTools } from "../file-provider.ts";
import type { Places } from "../places.ts";

/** `~/.claude.json`: the user's servers, and those of the user for single projects. */
export function claudeUserFile(places: Places): string {
  return places.join(places.variable("CLAUDE_CONFIG_DIR") ?? places.home, ".claude.json");
}

/** A file of the machine's administrator. */
export function claudeManagedFile(places: Places, name: string): string {
  switch (places.platform) {
    case "win32":
      return places.join(places.variable("ProgramFiles") ?? "C:\\Program Files", "ClaudeCode", name);
    case "darwin":
      return `/Library/Application Support/ClaudeCode/${name}`;
    default:
      return `/etc/claude-code/${name}`;
  }
}

/** The settings files in which approvals of `.mcp.json` servers stand. */
export function claudeSettingsFiles(places: Places, folders: readonly string[]): Omit<SourceFile, "exists">[] {
  const userFolder = places.variable("CLAUDE_CONFIG_DIR") ?? places.join(places.home, ".claude");
  const userFile = places.join(userFolder, "settings.json");
  return [
    { path: userFile, level: "user" as const },
    ...folders.flatMap((folder) =>
      ["settings.json", "settings.local.json"].map((name) => ({
        path: places.join(folder, ".claude", name),
        level: "project" as const,
      })),
    ),
  ].filter(({ path, level }) => level === "user" || path !== userFile);
}

/** The section of `~/.claude.json` for each of the folders, in their order. */
export function findClaudeProjects(
  document: Record<string, unknown>,
  folders: readonly string[],
): { key: string; project: Record<string, unknown> }[] {
  const projects = readPath(document, ["projects"]);
  if (!isRecord(projects)) return [];
  const entries = Object.entries(projects);
  return folders.flatMap((folder) =>
    entries.flatMap(([key, project]) =>
      isRecord(project) && comparablePath(key) === comparablePath(folder) ? [{ key, project }] : [],
    ),
  );
}

/** The working directory and the root of its repository: the folders for which `projects` counts. */
export function claudeProjectFolders(folders: readonly string[]): string[] {
  return [...new Set([folders[0], folders.at(-1)])].filter((folder) => folder !== undefined);
}

// Keys of one project are written with either slash and either case of the drive letter on Windows.
function comparablePath(path: string): string {
  const slashed = /^[A-Za-z]:/.test(path) ? path.replaceAll("\\", "/").toLowerCase() : path;
  return slashed.length > 1 && slashed.endsWith("/") ? slashed.slice(0, -1) : slashed;
}

/** Names that Claude Code has switched off, with the file that says so. */
export interface ClaudeRefusals {
  /** Servers of any scope. */
  servers: ReadonlyMap<string, string>;
  /** Servers of `.mcp.json`. */
  projectServers: ReadonlyMap<string, string>;
}

/**
 * Reads what Claude Code's own toggles and approvals switch off. What they switch on means nothing here: it cannot stand
 * for an approval by Toolgate.
 */
export async function readClaudeRefusals(tools: FinishTools): Promise<ClaudeRefusals> {
  const { places, projectFolders } = tools;
  const servers = new Map<string, string>();
  const projectServers = new Map<string, string>();
  const userFile = claudeUserFile(places);
  const settings = claudeSettingsFiles(places, projectFolders);
  const [user, ...documents] = await Promise.all([userFile, ...settings.map(({ path }) => path)].map(tools.read));
  for (const { project } of findClaudeProjects(user ?? {}, claudeProjectFolders(projectFolders))) {
    addNames(servers, project["disabledMcpServers"], userFile);
    addNames(projectServers, project["disabledMcpjsonServers"], userFile);
  }
  for (const [index, document] of documents.entries()) {
    const path = settings[index]?.path;
    if (path !== undefined) addNames(projectServers, document?.["disabledMcpjsonServers"], path);
  }
  return { servers, projectServers };
}

function addNames(target: Map<string, string>, names: unknown, path: string): void {
  if (!Array.isArray(names)) return;
  for (const name of names) if (typeof name === "string" && !target.has(name)) target.set(name, path);
}
