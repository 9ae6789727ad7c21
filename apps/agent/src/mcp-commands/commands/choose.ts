import { applyChoice } from "../../first-run/apply-choice.ts";
import type { ForeignServer } from "../../first-run/foreign-servers.ts";
import { findForeignServers } from "../../first-run/foreign-servers.ts";
import { askForServers, renderForeignServers } from "../../first-run/server-choice.ts";
import { serverNamesOf } from "../../session/server-names.ts";
import { formatPath } from "../../terminal/format.ts";
import { sanitizeLine } from "../../terminal/sanitize-text.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandOutcome } from "../command-outcome.ts";
import { EXIT_STATUS, usageOutcome } from "../command-outcome.ts";
import { endInSession, startInSession } from "../live-session.ts";
import type { MCPCommand } from "../mcp-command.ts";

type ChooseCommand = Extract<MCPCommand, { name: "choose" }>;

/** `choose`: which servers of other clients are started, by name, all, none, or as a person answers. */
export async function chooseServers(command: ChooseCommand, context: CommandContext): Promise<CommandOutcome> {
  if (command.which !== undefined && command.servers.length > 0) {
    return usageOutcome(`Choose servers by name or with --${command.which}, not both.`);
  }
  const servers = findForeignServers(await context.servers.load());
  const unknown = command.servers.filter((wanted) => !servers.some(({ name }) => name === wanted));
  if (unknown.length > 0) {
    const known = servers.map(({ name }) => name).join(", ") || "none";
    return usageOutcome(`No other client has a user-level server ${unknown.join(", ")}. There are: ${known}.`);
  }
  const chosen = chosenBy(command, servers) ?? (await ask(servers, context));
  return chosen === undefined ? showServers(servers, context) : carryOut(chosen, servers, context);
}

function chosenBy({ servers: named, which }: ChooseCommand, servers: readonly ForeignServer[]): string[] | undefined {
  if (which === "all") return servers.map(({ name }) => name);
  if (which === "none") return [];
  return named.length === 0 ? undefined : named;
}

async function ask(servers: readonly ForeignServer[], context: CommandContext): Promise<string[] | undefined> {
  const { readLine, signal } = context;
  if (readLine === undefined || servers.length === 0) return undefined;
  return askForServers(servers, renderForeignServers(servers, context), (question) => readLine(question, signal));
}

function showServers(servers: readonly ForeignServer[], context: CommandContext): CommandOutcome {
  const document = documentOf(
    servers.filter(({ disabled }) => !disabled).map(({ name }) => name),
    servers,
  );
  if (servers.length === 0) {
    return { document, text: "No other client has user-level servers.", exitStatus: EXIT_STATUS.fine };
  }
  const how = `Nothing was changed. Choose by name, or all or none: ${context.prefix} choose NAME…, --all, --none`;
  const text = `${renderForeignServers(servers, context)}\n${how}`;
  return { document, text, exitStatus: EXIT_STATUS.needsConsent };
}

async function carryOut(
  chosen: readonly string[],
  servers: readonly ForeignServer[],
  context: CommandContext,
): Promise<CommandOutcome> {
  const path = await applyChoice(chosen, servers, context);
  const loaded = await context.servers.load();
  const declined = servers.map(({ name }) => name).filter((name) => !chosen.includes(name));
  for (const name of declined) {
    // oxlint-disable-next-line no-await-in-loop -- each changes the tools of the session
    await endInSession(name, context);
  }
  const running = serverNamesOf(context.session?.mcpManager);
  await startInSession(
    chosen.filter((name) => !running.includes(name)),
    loaded,
    context,
  );
  const off = chosen.filter((name) => loaded.disabled[name] !== undefined);
  return {
    document: documentOf(chosen, servers),
    text: sanitizeLine(
      `started from now on: ${chosen.join(", ") || "none"}; not started: ${declined.join(", ") || "none"} (${formatPath(path, context)})`,
    ),
    exitStatus: EXIT_STATUS.fine,
    notes: off.map((name) =>
      sanitizeLine(`${name} is switched off in its own file ${loaded.disabled[name]?.source.path ?? ""}.`),
    ),
  };
}

function documentOf(chosen: readonly string[], servers: readonly ForeignServer[]): unknown {
  const all = servers.map(({ name }) => name);
  return {
    chosen: all.filter((name) => chosen.includes(name)),
    declined: all.filter((name) => !chosen.includes(name)),
  };
}
