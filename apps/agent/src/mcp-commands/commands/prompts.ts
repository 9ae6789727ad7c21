import { isRecord } from "@toolgate/contracts";

import { alignColumns } from "../../terminal/columns.ts";
import { sanitizeLine, sanitizeText } from "../../terminal/sanitize-text.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandOutcome } from "../command-outcome.ts";
import { EXIT_STATUS, usageOutcome } from "../command-outcome.ts";
import { gather } from "../gather.ts";
import type { MCPCommand } from "../mcp-command.ts";
import { requireServer } from "../server-access.ts";
import { renderError } from "../server-errors.ts";
import { parseToolArguments } from "../tool-arguments.ts";

/** `prompts`: the prompts of all servers, or of one. */
export async function listAllPrompts(server: string | undefined, context: CommandContext): Promise<CommandOutcome> {
  const gathered = await gather(server, context, (manager, options) => manager.listPrompts(options));
  const { items: prompts, errors, exitStatus } = gathered;
  const rows = prompts.map(({ server: name, name: prompt, description, arguments: parameters = [] }) =>
    [
      name,
      prompt,
      parameters.map((item) => (item.required === true ? item.name : `[${item.name}]`)).join(" "),
      description ?? "",
    ].map(sanitizeLine),
  );
  return {
    document: { prompts, errors },
    text: rows.length === 0 ? "No prompts." : alignColumns(rows).join("\n"),
    exitStatus,
    notes: errors.map(renderError),
  };
}

/** `prompt`: one prompt, filled in. */
export async function getOnePrompt(
  { server, prompt, pairs }: Extract<MCPCommand, { name: "prompt" }>,
  context: CommandContext,
): Promise<CommandOutcome> {
  // Arguments of prompts are text, whatever they look like.
  const args = parseToolArguments(pairs, {});
  if (!args.ok) return usageOutcome(args.problem);
  const open = await context.servers.open({ only: [server] });
  requireServer(open, server);
  const values = Object.fromEntries(Object.entries(args.values).map(([key, value]) => [key, String(value)]));
  const request = { server, name: prompt, arguments: values };
  const result = await open.manager.getPrompt(request, { signal: context.signal });
  const text = result.messages.map(({ role, content }) => `${role}: ${textOf(content)}`).join("\n");
  return { document: { server, prompt, ...result }, text: sanitizeText(text), exitStatus: EXIT_STATUS.fine };
}

function textOf(content: unknown): string {
  if (isRecord(content) && typeof content["text"] === "string") return content["text"];
  return isRecord(content) ? `[${String(content["type"])}]` : "";
}
