import type {
  ContentOptions,
  MCPManager,
  ServerItems,
  ServerResource,
  ServerResourceTemplate,
} from "@toolgate/mcp-manager";

import { alignColumns } from "../../terminal/columns.ts";
import { sanitizeLine, sanitizeText } from "../../terminal/sanitize-text.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandOutcome } from "../command-outcome.ts";
import { EXIT_STATUS } from "../command-outcome.ts";
import { gather } from "../gather.ts";
import type { MCPCommand } from "../mcp-command.ts";
import { requireServer } from "../server-access.ts";
import { renderError } from "../server-errors.ts";

/** `resources`: the resources and resource templates of all servers, or of one. */
export async function listAllResources(server: string | undefined, context: CommandContext): Promise<CommandOutcome> {
  const { items, errors, exitStatus } = await gather(server, context, listBoth);
  const resources = items.filter((item): item is ServerResource => "uri" in item);
  const resourceTemplates = items.filter((item): item is ServerResourceTemplate => !("uri" in item));
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

async function listBoth(
  manager: MCPManager,
  options: ContentOptions,
): Promise<ServerItems<ServerResource | ServerResourceTemplate>> {
  const [resources, templates] = await Promise.all([
    manager.listResources(options),
    manager.listResourceTemplates(options),
  ]);
  return {
    items: [...resources.items, ...templates.items],
    // A server that fails at both is told of once.
    errors: new Map([...templates.errors, ...resources.errors]),
  };
}

/** `read`: one resource by its URI, its address, or from the server that is named; else from the first that can. */
export async function readOneResource(
  command: Extract<MCPCommand, { name: "read" }>,
  context: CommandContext,
): Promise<CommandOutcome> {
  const { uri, server } = command;
  const open = await context.servers.open(server === undefined ? {} : { only: [server] });
  if (server !== undefined) requireServer(open, server);
  const resource = server === undefined ? uri : { server, uri };
  const found = await open.manager.readResource(resource, { signal: context.signal });
  const text = found.contents.map((item) => item.text ?? `[${item.uri}: ${item.mimeType ?? "binary"}]`).join("\n");
  return { document: found, text: sanitizeText(text), exitStatus: EXIT_STATUS.fine };
}
