import { stat } from "node:fs/promises";

import { findNativeUserFile } from "@toolgate/capability-discovery";
import type { LoadedConfigs } from "@toolgate/mcp-manager";

import { needsApproval } from "../../trust/project-approval.ts";
import type { CommandContext } from "../command-context.ts";
import { subjectOf } from "../commands/trust.ts";
import type { Finding } from "./finding.ts";
import { quoteWord } from "./shell-words.ts";

/** Servers of the project that wait for the user. */
export async function findUnapproved(loaded: LoadedConfigs, { trust, prefix }: CommandContext): Promise<Finding[]> {
  const names = Object.keys(loaded.configs).filter((name) => needsApproval(loaded.sources[name]));
  const findings = await Promise.all(
    names.map(async (server): Promise<Finding[]> => {
      const subject = subjectOf(loaded, server);
      if (await trust.isApproved(subject)) return [];
      const message = `${server} is declared by the project and not approved yet`;
      const fix = `${prefix} trust ${quoteWord(server)}`;
      return [{ level: "hint", check: "needs-approval", message, fix, server, path: subject.path }];
    }),
  );
  return findings.flat();
}

/** What a new user does not have yet. */
export async function findMissingSettings(context: CommandContext, loaded: LoadedConfigs): Promise<Finding[]> {
  const findings: Finding[] = [];
  const path = findNativeUserFile(context);
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    const message = "You have no Toolgate configuration of your own";
    const fix = `${context.prefix} add writes it; nothing needs it`;
    findings.push({ level: "hint", check: "no-native-file", message, fix, path });
  }
  if (context.session?.model === undefined) {
    findings.push({
      level: "hint",
      check: "no-model",
      message: "No model is configured: tools can be called, prompts cannot be answered",
      fix: "Configure a model for the chat; the mcp commands need none",
    });
  }
  if (Object.keys(loaded.configs).length === 0) {
    const fix = `${context.prefix} add NAME -- COMMAND`;
    findings.push({ level: "hint", check: "no-servers", message: "No MCP servers are configured", fix });
  }
  return findings;
}
