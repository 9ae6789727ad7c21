import { findNativeUserFile, setServerDisabledOverlay, setServerEnabled } from "@toolgate/capability-discovery";
import type { EditResult } from "@toolgate/capability-discovery";
import { ToolgateError } from "@toolgate/contracts";

import { formatPath } from "../../terminal/format.ts";
import { sanitizeLine } from "../../terminal/sanitize-text.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandOutcome } from "../command-outcome.ts";
import { EXIT_STATUS } from "../command-outcome.ts";
import { requireEditable } from "../editable-source.ts";
import { endInSession, startInSession } from "../live-session.ts";
import type { MCPCommand } from "../mcp-command.ts";
import { requireSource } from "../server-source.ts";

/** `disable`: switches a server off, for Toolgate alone or in its own file, and ends it in the live session. */
export async function disableServer(
  { server, inSource }: Extract<MCPCommand, { name: "disable" }>,
  context: CommandContext,
): Promise<CommandOutcome> {
  const source = requireSource(await context.servers.load(), server);
  const result = inSource
    ? await switchInSource(server, false, { source, context })
    : await setServerDisabledOverlay(findNativeUserFile(context), server, true);
  const wasRunning = await endInSession(server, context);
  return outcomeOf(server, false, { results: [result], context, effect: wasRunning ? ", and stopped" : "" });
}

/** `enable`: takes back what `disable` did, and starts the server in the live session. */
export async function enableServer(
  { server, inSource }: Extract<MCPCommand, { name: "enable" }>,
  context: CommandContext,
): Promise<CommandOutcome> {
  const source = requireSource(await context.servers.load(), server);
  const results = [await setServerDisabledOverlay(findNativeUserFile(context), server, false)];
  let loaded = await context.servers.load();
  if (loaded.disabled[server] !== undefined && (inSource || source.provider === "toolgate")) {
    results.push(await switchInSource(server, true, { source, context }));
    loaded = await context.servers.load();
  }
  if (loaded.disabled[server] !== undefined) {
    const where = loaded.disabled[server].source.path;
    const how = inSource
      ? "Switch it on there."
      : `Edit that file with: ${context.prefix} enable ${server} --in-source`;
    throw new ToolgateError("CONFIG_INVALID", `${server} is switched off in ${where}. ${how}`, { server });
  }
  const connected = await startInSession([server], loaded, context);
  return outcomeOf(server, true, { results, context, effect: connected.length > 0 ? ", and connected" : "" });
}

async function switchInSource(
  server: string,
  enabled: boolean,
  { source, context }: { source: ReturnType<typeof requireSource>; context: CommandContext },
): ReturnType<typeof setServerEnabled> {
  const place = await requireEditable(server, source, context);
  if (!enabled && place.flag === undefined) {
    throw new ToolgateError(
      "CONFIG_INVALID",
      `${source.providerName} cannot switch off a server in ${place.path}. ` +
        `Switch it off for Toolgate alone: ${context.prefix} disable ${server}`,
      { server },
    );
  }
  return setServerEnabled(place.path, server, enabled, place);
}

/** @param changes.results What was done to each file, the one that decided last. */
function outcomeOf(
  server: string,
  enabled: boolean,
  changes: { results: readonly EditResult[]; context: CommandContext; effect: string },
): CommandOutcome {
  const { results, context, effect } = changes;
  const changed = results.filter((result) => result.changed).map(({ path }) => path);
  const files = changed.map((path) => formatPath(path, context)).join(" and ");
  const where = files === "" ? "no file had to be changed" : `changed ${files}`;
  return {
    document: { name: server, enabled, path: changed.at(-1) ?? results.at(-1)?.path, changed: changed.length > 0 },
    text: sanitizeLine(`${server}: ${enabled ? "enabled" : "disabled"}${effect} (${where})`),
    exitStatus: EXIT_STATUS.fine,
  };
}
