import type { LoadedConfigs } from "@toolgate/mcp-manager";

import { joinWarnings } from "../../settings/load-settings.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandOutcome } from "../command-outcome.ts";
import { EXIT_STATUS } from "../command-outcome.ts";
import { checkCommand } from "../doctor/check-command.ts";
import { findShadowed, findTwins } from "../doctor/check-duplicates.ts";
import { checkEntry, findUnsupported } from "../doctor/check-entry.ts";
import { checkPaths } from "../doctor/check-paths.ts";
import { checkRemote } from "../doctor/check-remote.ts";
import { findCommittedSecrets } from "../doctor/check-secrets.ts";
import { findMissingSettings, findUnapproved } from "../doctor/check-setup.ts";
import type { ConfiguredServer } from "../doctor/configured-server.ts";
import { listUsedServers } from "../doctor/configured-server.ts";
import { explainWarnings } from "../doctor/explain-warnings.ts";
import type { FindingDraft } from "../doctor/finding.ts";
import { sortFindings, summarizeFindings } from "../doctor/finding.ts";
import { placeFindings } from "../doctor/place-findings.ts";
import { renderFindings } from "../doctor/render-findings.ts";

/** `doctor`: what is wrong in the configuration and how to mend it. Reads, and starts no server. */
export async function diagnose(context: CommandContext): Promise<CommandOutcome> {
  const loaded = await context.servers.load();
  const drafts = await gatherFindings(loaded, context);
  const findings = sortFindings(await placeFindings(drafts, loaded));
  const summary = summarizeFindings(findings);
  return {
    document: { findings, summary },
    text: renderFindings(findings, summary, context),
    report: true,
    exitStatus: summary.errors > 0 ? EXIT_STATUS.failed : EXIT_STATUS.fine,
  };
}

async function gatherFindings(loaded: LoadedConfigs, context: CommandContext): Promise<FindingDraft[]> {
  const warnings = joinWarnings(context.settingsWarnings, loaded.warnings);
  const [explained, servers, secrets, unapproved, missing] = await Promise.all([
    explainWarnings(warnings, context.platform),
    Promise.all(listUsedServers(loaded).map((server) => checkServer(server, context))),
    findCommittedSecrets(loaded, context),
    findUnapproved(loaded, context),
    findMissingSettings(context, loaded),
  ]);
  return [
    ...explained,
    ...servers.flat(),
    ...secrets,
    ...findUnsupported(loaded),
    ...findShadowed(loaded),
    ...findTwins(loaded),
    ...unapproved,
    ...missing,
  ];
}

async function checkServer(server: ConfiguredServer, context: CommandContext): Promise<FindingDraft[]> {
  const problems = checkEntry(server, context);
  // What an entry that cannot be started names may be anything.
  if (problems.length > 0 || server.entry.unsupported !== undefined) return problems;
  const paths = await checkPaths(server, context);
  // Without its working directory nothing can be said of a command that is looked for there.
  const command = paths.some(({ check }) => check === "cwd-missing") ? [] : await checkCommand(server, context);
  return [...command, ...paths, ...checkRemote(server)];
}
