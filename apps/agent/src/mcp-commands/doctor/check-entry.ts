import { isRecord, validateServerConfig } from "@toolgate/contracts";
import type { LoadedConfigs } from "@toolgate/mcp-manager";

import type { CommandContext } from "../command-context.ts";
import type { ConfiguredServer } from "./configured-server.ts";
import { listAllEntries, nameEntry, subjectFields } from "./configured-server.ts";
import type { FindingDraft } from "./finding.ts";
import { setVariable } from "./shell-words.ts";

/** Whether a server can be started at all, before anything that it names is looked for. */
export function checkEntry(server: ConfiguredServer, { platform }: CommandContext): FindingDraft[] {
  const { name, config, source, entry } = server;
  if (entry.unsupported !== undefined) return [];
  const fix = `Correct ${nameEntry(name, source?.path)}`;
  const { problem } = entry;
  if (problem !== undefined) {
    const { message } = problem;
    const variable = isRecord(problem.data) ? problem.data["variable"] : undefined;
    if (typeof variable !== "string") {
      return [{ level: "error", check: "invalid-config", message, fix, ...subjectFields(server) }];
    }
    const check = variable.startsWith("TOOLGATE_INPUT_") ? "missing-input" : "unset-variable";
    const setIt = `${setVariable(variable, platform)} before Toolgate starts`;
    return [{ level: "error", check, message, fix: setIt, ...subjectFields(server) }];
  }
  const problems = validateServerConfig(name, config);
  if (problems.length === 0) return [];
  const message = `${name}: ${problems.join("; ")}`;
  return [{ level: "error", check: "invalid-config", message, fix, ...subjectFields(server) }];
}

/** Entries that need what Toolgate lacks; they are nobody's mistake. */
export function findUnsupported(loaded: LoadedConfigs): FindingDraft[] {
  return listAllEntries(loaded).flatMap((server): FindingDraft[] => {
    const { name, source, entry } = server;
    if (entry.unsupported === undefined) return [];
    const message = `${name} is not started: Toolgate lacks ${entry.unsupported}`;
    const fix = `If the server has an http address too, declare that in ${nameEntry(name, source?.path)}`;
    return [{ level: "hint", check: "unsupported-transport", message, fix, ...subjectFields(server) }];
  });
}
