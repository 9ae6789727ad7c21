import { homedir } from "node:os";

import { createToolCache, toolCacheDirectory } from "@toolgate/tool-cache";

import type { CommandOutcome } from "../mcp-commands/command-outcome.ts";
import { EXIT_STATUS } from "../mcp-commands/command-outcome.ts";
import type { CommandLineIO } from "./command-line-io.ts";

/** `cache path` shows where tools are remembered, `cache clear` forgets them. */
export async function runCache(action: "path" | "clear", { env, platform }: CommandLineIO): Promise<CommandOutcome> {
  const home = env[platform === "win32" ? "USERPROFILE" : "HOME"] || homedir();
  const path = toolCacheDirectory({ env, home, platform });
  if (action === "path") return { document: { path }, text: path, exitStatus: EXIT_STATUS.fine };
  await createToolCache({ env, home }).clear();
  return { document: { path, cleared: true }, text: `Forgotten: the tools in ${path}`, exitStatus: EXIT_STATUS.fine };
}
