import { removeServer } from "@toolgate/capability-discovery";
import { ToolgateError } from "@toolgate/contracts";

import { formatPath } from "../../terminal/format.ts";
import { sanitizeLine } from "../../terminal/sanitize-text.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandOutcome } from "../command-outcome.ts";
import { EXIT_STATUS } from "../command-outcome.ts";
import { fileForScope, requireEditable } from "../editable-source.ts";
import { endInSession, startInSession } from "../live-session.ts";
import type { MCPCommand } from "../mcp-command.ts";
import { requireSource } from "../server-source.ts";

/** `remove`: takes a server out of its file and ends it in the live session. */
export async function removeOneServer(
  { server, scope }: Extract<MCPCommand, { name: "remove" }>,
  context: CommandContext,
): Promise<CommandOutcome> {
  const file =
    scope === undefined
      ? await requireEditable(server, requireSource(await context.servers.load(), server), context)
      : fileForScope(scope, context);
  const { path, changed } = await removeServer(file.path, server, file);
  if (!changed) {
    const message = `There is no server ${server} in ${path}.`;
    throw new ToolgateError("CONFIG_INVALID", message, { server });
  }
  const wasRunning = await endInSession(server, context);
  const loaded = await context.servers.load();
  const next = loaded.sources[server];
  const isConnected = next !== undefined && (await startInSession([server], loaded, context)).includes(server);
  const notes =
    next === undefined
      ? []
      : [`${server} in ${formatPath(next.path, context)} is used from now on${isConnected ? ", and connected" : ""}.`];
  return {
    document: { name: server, path, changed },
    text: sanitizeLine(`${server}: removed from ${formatPath(path, context)}${wasRunning ? ", and stopped" : ""}`),
    exitStatus: EXIT_STATUS.fine,
    notes: notes.map(sanitizeLine),
  };
}
