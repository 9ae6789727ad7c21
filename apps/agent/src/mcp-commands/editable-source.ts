import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { findNativeUserFile } from "@toolgate/capability-discovery";
import type { SourceMeta } from "@toolgate/contracts";
import { ToolgateError } from "@toolgate/contracts";

import type { CommandContext } from "./command-context.ts";
import type { WriteScope } from "./mcp-command.ts";

/** A file that commands may edit, and where in it the servers are. */
export interface EditableFile {
  path: string;
  key: string | readonly string[];
}

/**
 * The file behind a server, when it is one of Toolgate's own or `.mcp.json`; files of other clients are theirs.
 *
 * @throws ToolgateError `CONFIG_INVALID` with what to do instead
 */
export function requireEditable(server: string, source: SourceMeta, prefix: string): EditableFile {
  if (source.provider === "toolgate") {
    const key = basename(source.path) === "package.json" ? ["toolgate", "mcpServers"] : "mcpServers";
    return { path: source.path, key };
  }
  if (source.provider === "mcp-json") return { path: source.path, key: "mcpServers" };
  throw new ToolgateError(
    "CONFIG_INVALID",
    `${server} comes from ${source.path} (${source.providerName}), which Toolgate does not edit. ` +
      `Change it there, or switch it off for Toolgate alone: ${prefix} disable ${server}`,
    { server },
  );
}

/** The file that new servers of a scope go to. */
export async function fileForScope(scope: WriteScope, context: CommandContext): Promise<EditableFile> {
  if (scope === "user") return { path: findNativeUserFile(context), key: "mcpServers" };
  return { path: await findProjectFile(context.cwd), key: "mcpServers" };
}

/** The nearest `.mcp.json` up to the root of the repository; without one, that of the root or the working directory. */
async function findProjectFile(cwd: string): Promise<string> {
  const passed: string[] = [];
  for (let directory = cwd; ; directory = dirname(directory)) {
    passed.push(directory);
    // oxlint-disable-next-line no-await-in-loop -- the nearest one wins
    const [isRoot, hasFile] = await Promise.all([
      exists(join(directory, ".git")),
      exists(join(directory, ".mcp.json")),
    ]);
    if (hasFile) return join(directory, ".mcp.json");
    if (isRoot) return join(directory, ".mcp.json");
    if (dirname(directory) === directory) return join(passed[0] ?? cwd, ".mcp.json");
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}
