import { formatCount } from "../../terminal/format.ts";
import { sanitizeLine } from "../../terminal/sanitize-text.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandOutcome } from "../command-outcome.ts";
import { describeError, EXIT_STATUS, exitStatusOf, usageOutcome } from "../command-outcome.ts";
import { renderError } from "../server-errors.ts";

const ONLY_LIVE = "works on the servers of a running chat; each command of the command line starts its own.";

/** `reload`: reads the configuration again and restarts the servers of the live session, all or those that changed. */
export async function reloadServers({ session }: CommandContext): Promise<CommandOutcome> {
  if (session === undefined) return usageOutcome(`reload ${ONLY_LIVE}`);
  const { added, removed, restarted, kept, errors } = await session.reloadMCP();
  const toolsOf = (name: string): string => {
    const server = session.mcpManager?.describeServers().find((item) => item.name === name);
    return server === undefined || server.error !== undefined ? "" : ` (${formatCount(server.tools, "tool")})`;
  };
  const failed = [...errors.values()].map(describeError);
  const parts = [
    ...added.map((name) => `+ ${name}${toolsOf(name)}`),
    ...removed.map((name) => `- ${name}`),
    ...restarted.map((name) => `~ ${name}${toolsOf(name)}`),
    `= ${kept.length} unchanged`,
  ];
  return {
    document: { added, removed, restarted, kept, errors: failed },
    text: parts.map(sanitizeLine).join("   "),
    exitStatus: EXIT_STATUS.fine,
    notes: failed.map(renderError),
  };
}

/** `reconnect`: starts one server of the live session again and waits for it. */
export async function reconnectServer(name: string, { session }: CommandContext): Promise<CommandOutcome> {
  const manager = session?.mcpManager;
  if (session === undefined || manager === undefined) return usageOutcome(`reconnect ${ONLY_LIVE}`);
  const { errors } = await manager.reconnectServer(name);
  await session.refreshMCPTools(manager.getTools());
  const error = errors.get(name);
  const server = manager.describeServers().find((item) => item.name === name);
  const document = {
    name,
    status: server?.status ?? "disconnected",
    tools: server?.tools ?? 0,
    ...(error === undefined ? {} : { error: describeError(error) }),
  };
  if (error !== undefined) return { document, text: sanitizeLine(error.message), exitStatus: exitStatusOf(error) };
  const text = sanitizeLine(`${name}: connected, ${formatCount(document.tools, "tool")}`);
  return { document, text, exitStatus: EXIT_STATUS.fine };
}
