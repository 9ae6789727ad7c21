import { copyServer } from "@toolgate/capability-discovery";
import type { SourceMeta } from "@toolgate/contracts";
import { ToolgateError } from "@toolgate/contracts";
import type { LoadedConfigs } from "@toolgate/mcp-manager";

import { formatPath } from "../../terminal/format.ts";
import { sanitizeLine, sanitizeText } from "../../terminal/sanitize-text.ts";
import { needsApproval } from "../../trust/project-approval.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandOutcome } from "../command-outcome.ts";
import { EXIT_STATUS } from "../command-outcome.ts";
import { renderWarning, sourceDocument } from "../discovery-documents.ts";
import { checkClient } from "../editable-source.ts";
import { endInSession, startInSession } from "../live-session.ts";
import type { MCPCommand } from "../mcp-command.ts";
import { unknownServerError } from "../server-access.ts";
import { findSource } from "../server-source.ts";
import { approveWritten } from "../write-new-servers.ts";
import { subjectOf } from "./trust.ts";

type CopyCommand = Extract<MCPCommand, { name: "copy" }>;

/** `copy`: writes a server into another client's file, in that client's form. The original stays as it is. */
export async function copyOneServer(command: CopyCommand, context: CommandContext): Promise<CommandOutcome> {
  const { server, to, scope, replace, as = server } = command;
  checkClient(to, context);
  const source = findOriginal(command, await context.servers.load());
  const result = await copyServer(server, source, { to, level: scope, context, as, replace });
  const { path, changed, created } = result;

  const loaded = await context.servers.load();
  const used = loaded.sources[as];
  const isUsed = used !== undefined && used.path === path;
  if (isUsed && replace && changed) await endInSession(as, context);
  const show = (file: string): string => formatPath(file, context);
  const notes = result.warnings.map((warning) => renderWarning(warning, show));
  if (isUsed && needsApproval(used)) notes.push(...(await approveCopy(as, { source, loaded, context })));
  const connected = isUsed ? await startInSession([as], loaded, context) : [];
  if (used !== undefined && !isUsed) notes.push(`${as} in ${show(used.path)} wins over it.`);
  return {
    document: {
      name: as,
      from: { name: server, ...sourceDocument(source) },
      to: { provider: to, path, level: scope },
      changed,
      created,
    },
    text: sanitizeLine(
      `${as}: ${describeChange(result)} ${show(path)}, from ${show(source.path)}` +
        (connected.includes(as) && as !== server ? ", and connected" : ""),
    ),
    exitStatus: EXIT_STATUS.fine,
    notes: notes.map(sanitizeText),
  };
}

/** The copy of a person's own entry is their own doing; that of a project's entry is approved like any other. */
async function approveCopy(
  name: string,
  { source, loaded, context }: { source: SourceMeta; loaded: LoadedConfigs; context: CommandContext },
): Promise<string[]> {
  if (needsApproval(source)) return [`It starts once it is approved: ${context.prefix} trust ${name}`];
  const refusal = await approveWritten(subjectOf(loaded, name), context);
  return refusal === undefined ? [] : [refusal];
}

function describeChange({ changed, created }: { changed: boolean; created: boolean }): string {
  if (created) return "copied to the new file";
  return changed ? "copied to" : "is the same already in";
}

/** The entry that is used, or that of the client which is named, used or shadowed. */
function findOriginal({ server, from }: CopyCommand, loaded: LoadedConfigs): SourceMeta {
  const used = findSource(loaded, server);
  const shadowed = loaded.shadowed.filter(({ name }) => name === server).map(({ _source: source }) => source);
  const sources = [...(used === undefined ? [] : [used]), ...shadowed];
  const found = sources.find(({ provider }) => from === undefined || provider === from);
  if (found !== undefined) return found;
  if (sources.length === 0) throw unknownServerError(loaded, server);
  const clients = [...new Set(sources.map(({ provider }) => provider))].join(", ");
  const message = `${server} is not declared by ${JSON.stringify(from)}, but by: ${clients}.`;
  throw new ToolgateError("CONFIG_INVALID", message, { server });
}
