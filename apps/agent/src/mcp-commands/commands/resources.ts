import { messageOf, ToolgateError } from "@toolgate/contracts";
import { listResources, listResourceTemplates, readResource } from "@toolgate/mcp-client";

import { alignColumns } from "../../terminal/columns.ts";
import { sanitizeLine, sanitizeText } from "../../terminal/sanitize-text.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandOutcome } from "../command-outcome.ts";
import { EXIT_STATUS } from "../command-outcome.ts";
import { gather, requireConnection } from "../gather.ts";
import type { MCPCommand } from "../mcp-command.ts";
import { renderError } from "../server-errors.ts";

/** `resources`: the resources and resource templates of all servers, or of one. */
export async function listAllResources(server: string | undefined, context: CommandContext): Promise<CommandOutcome> {
  const { items, errors, exitStatus } = await gather(server, context, async (connection, signal) => {
    const [resources, templates] = await Promise.all([
      listResources(connection, { signal }),
      listResourceTemplates(connection, { signal }),
    ]);
    return { resources, templates };
  });
  const resources = items.flatMap(({ server: name, found }) =>
    found.resources.map((resource) => ({ ...resource, server: name })),
  );
  const resourceTemplates = items.flatMap(({ server: name, found }) =>
    found.templates.map((template) => ({ ...template, server: name })),
  );
  const rows = [
    ...resources.map(({ server: name, uri, name: title }) => [name, uri, title]),
    ...resourceTemplates.map(({ server: name, uriTemplate, name: title }) => [name, uriTemplate, title]),
  ].map((row) => row.map(sanitizeLine));
  return {
    document: { resources, resourceTemplates, errors },
    text: rows.length === 0 ? "No resources." : alignColumns(rows).join("\n"),
    exitStatus,
    notes: errors.map(renderError),
  };
}

/** `read`: one resource; without a server, from the first one that can read it. */
export async function readOneResource(
  command: Extract<MCPCommand, { name: "read" }>,
  context: CommandContext,
): Promise<CommandOutcome> {
  const { uri, server } = command;
  const open = await context.servers.open(server === undefined ? {} : { only: [server] });
  if (server !== undefined) {
    const connection = await requireConnection(open, server, context.signal);
    return outcomeOf(server, await readResource(connection, uri, { signal: context.signal }));
  }
  const problems: string[] = [];
  for (const { name } of open.manager.describeServers()) {
    const connection = open.manager.getConnection(name);
    if (connection?.capabilities.resources === undefined) continue;
    try {
      return outcomeOf(name, await readResource(connection, uri, { signal: context.signal }));
    } catch (error) {
      context.signal.throwIfAborted();
      problems.push(`${name}: ${messageOf(error)}`);
    }
  }
  const why = problems.length === 0 ? "No connected server offers resources." : problems.join("\n");
  throw new ToolgateError("SERVER_ERROR", `${uri} cannot be read. ${why}`);
}

function outcomeOf(server: string, { contents }: Awaited<ReturnType<typeof readResource>>): CommandOutcome {
  const text = contents.map((item) => item.text ?? `[${item.uri}: ${item.mimeType ?? "binary"}]`).join("\n");
  return { document: { server, contents }, text: sanitizeText(text), exitStatus: EXIT_STATUS.fine };
}
