import type { AgentTool } from "@toolgate/contracts";
import type { ServerTool } from "@toolgate/mcp-manager";
import { isServerTool } from "@toolgate/mcp-manager";

import { alignColumns } from "../../terminal/columns.ts";
import { sanitizeLine } from "../../terminal/sanitize-text.ts";
import { truncate } from "../../terminal/text-width.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandOutcome } from "../command-outcome.ts";
import { EXIT_STATUS } from "../command-outcome.ts";
import { collectErrors, renderError } from "../server-errors.ts";

/** `tools`: the tools of all servers, or of one. A failure of one that was named is the command's. */
export async function listTools(server: string | undefined, context: CommandContext): Promise<CommandOutcome> {
  const open = await context.servers.open(server === undefined ? {} : { only: [server] });
  const { errors, exitStatus } = collectErrors(open, server);
  const cached = new Set(
    open.manager
      .describeServers()
      .filter((description) => description.cached)
      .map((description) => description.name),
  );
  const tools = open.manager
    .getTools()
    .filter(isServerTool)
    .filter((tool) => server === undefined || tool.server === server);
  const document = {
    tools: tools.map((tool) => ({
      name: tool.name,
      server: tool.server,
      tool: tool.tool,
      description: tool.description,
      parameters: tool.parameters,
      ...(tool.annotations === undefined ? {} : { annotations: tool.annotations }),
      cached: cached.has(tool.server),
    })),
    errors,
  };
  if (exitStatus !== EXIT_STATUS.fine) return { document, text: errors.map(renderError).join("\n"), exitStatus };
  const connecting = open.manager.describeServers().filter(({ status }) => status === "connecting");
  const text = tools.length === 0 ? describeNone(connecting) : renderTools(tools, context);
  return { document, text, exitStatus, notes: errors.map(renderError) };
}

function renderTools(tools: readonly ServerTool[], context: CommandContext): string {
  const rows = tools.map((tool) => [context.style.bold(tool.name), summaryOf(tool)]);
  const nameWidth = Math.max(...tools.map((tool) => tool.name.length));
  const available = Math.max(20, context.width - nameWidth - 2);
  return alignColumns(rows.map(([name = "", summary = ""]) => [name, truncate(summary, available)])).join("\n");
}

function describeNone(connecting: readonly { name: string }[]): string {
  if (connecting.length === 0) return "No tools.";
  return `No tools yet: ${connecting.map(({ name }) => sanitizeLine(name)).join(", ")} still connecting.`;
}

function summaryOf(tool: AgentTool): string {
  return sanitizeLine(tool.description === "" ? tool.label : tool.description);
}
