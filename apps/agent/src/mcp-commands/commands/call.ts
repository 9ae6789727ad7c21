import type { AgentTool, ToolResult } from "@toolgate/contracts";
import { ToolgateError } from "@toolgate/contracts";
import type { LoadedConfigs, ServerDescription } from "@toolgate/mcp-manager";
import { createMcpToolName, findTool, isServerTool } from "@toolgate/mcp-manager";

import { hasUnknownTools, waitForServers } from "../../session/await-servers.ts";
import { formatDuration } from "../../terminal/format.ts";
import { renderToolResult } from "../../terminal/render-content.ts";
import { sanitizeLine } from "../../terminal/sanitize-text.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandOutcome } from "../command-outcome.ts";
import { EXIT_STATUS, exitStatusOfCode, usageOutcome } from "../command-outcome.ts";
import type { MCPCommand } from "../mcp-command.ts";
import { suggestNearest } from "../nearest-name.ts";
import type { OpenServers } from "../server-access.ts";
import { unknownServerError } from "../server-access.ts";
import { parseToolArguments } from "../tool-arguments.ts";

/** `call`: one call of one tool. The document is its result, also when nothing could be called. */
export async function callTool(
  command: Extract<MCPCommand, { name: "call" }>,
  context: CommandContext,
): Promise<CommandOutcome> {
  const { reference } = command;
  // Read before anything is started: a caller that never ends its input must not leave servers waiting.
  const json = command.json === "-" ? await context.readInput() : command.json;
  const native = context.session?.tools.get(reference);
  const tool = native ?? (await findServerTool(reference, context));
  if (tool instanceof ToolgateError) return outcomeOf(errorResult(reference, tool));
  const args = parseToolArguments(command.pairs, tool.parameters, json);
  if (!args.ok) return usageOutcome(`${tool.name}: ${args.problem}`);
  return outcomeOf(await tool.execute(args.values, { signal: context.signal }));
}

async function findServerTool(reference: string, context: CommandContext): Promise<AgentTool | ToolgateError> {
  const named = namedServers(reference, await context.servers.load());
  const open = await context.servers.open({ needsTools: true, ...(named.length === 0 ? {} : { only: named }) });
  const found = findTool(open.manager.getTools(), reference) ?? (await awaitTool(reference, named, { open, context }));
  if (found === undefined) return explainAbsence(reference, named, open);
  // A live session notices what a call through its own tool brings about.
  return context.session?.tools.get(found.name) ?? found;
}

/** In a live session the server that is meant may still be on its way; the others are not waited for. */
async function awaitTool(
  reference: string,
  named: readonly string[],
  { open: { manager }, context: { notify, signal } }: { open: OpenServers; context: CommandContext },
): Promise<AgentTool | undefined> {
  const meant = meantServers(reference, named, manager.describeServers()).filter(hasUnknownTools);
  if (meant.length === 0) return undefined;
  const names = meant.map(({ name }) => name);
  notify(`Waiting for ${names.map(sanitizeLine).join(", ")}.`);
  await waitForServers(manager, names, { signal });
  signal.throwIfAborted();
  return findTool(manager.getTools(), reference);
}

/** Of the servers that there are, those that a reference means, also by the name that a tool has for models. */
function meantServers(
  reference: string,
  named: readonly string[],
  described: readonly ServerDescription[],
): ServerDescription[] {
  return described.filter(
    ({ name }) => named.includes(name) || reference.startsWith(createMcpToolName(name, "x").replace(/x$/, "")),
  );
}

/** The servers that a reference names, however names and tools are cut: only these need to run. */
function namedServers(reference: string, loaded: LoadedConfigs): string[] {
  const known = [...Object.keys(loaded.configs), ...Object.keys(loaded.disabled), ...Object.keys(loaded.filtered)];
  return known.filter((name) =>
    [`${name}.`, `${name}/`, `mcp__${name}__`].some((prefix) => reference.startsWith(prefix)),
  );
}

function explainAbsence(reference: string, named: readonly string[], open: OpenServers): ToolgateError {
  const described = open.manager.describeServers();
  const meant = meantServers(reference, named, described);
  const failed = meant.find((server) => server.error !== undefined)?.error;
  if (failed !== undefined) return failed;
  const [first] = named;
  if (first !== undefined && !described.some(({ name }) => named.includes(name))) {
    return unknownServerError(open.loaded, first);
  }
  const servers = meant.length > 0 ? meant : described;
  const tools = open.manager.getTools().filter(isServerTool);
  const matches = tools.filter((tool) => tool.tool === reference).map((tool) => tool.name);
  const ofServers = tools.filter((tool) => servers.some(({ name }) => name === tool.server));
  const has = ofServers.map((tool) => tool.name);
  const spellings = ofServers.flatMap((tool) => [`${tool.server}.${tool.tool}`, tool.name]);
  const nearest = matches.length > 0 ? "" : suggestNearest(reference, spellings);
  const known =
    matches.length > 0 ? `Meant is perhaps: ${matches.join(", ")}.` : `There are: ${has.join(", ") || "none"}.`;
  const because = matches.length > 0 ? "" : failureHint(described);
  return new ToolgateError(
    "TOOL_NOT_FOUND",
    `There is no tool ${reference}.${nearest} ${known}${because}`,
    meant[0] === undefined ? {} : { server: meant[0].name },
  );
}

function failureHint(described: readonly ServerDescription[]): string {
  const failed = described.filter((server) => server.error !== undefined).map((server) => server.name);
  return failed.length === 0 ? "" : ` Without tools at the moment: ${failed.join(", ")}.`;
}

function errorResult(tool: string, error: ToolgateError): ToolResult {
  return {
    content: [{ type: "text", text: `MCP error: ${error.message}` }],
    isError: true,
    details: {
      ...(error.server === undefined ? {} : { server: error.server }),
      tool,
      durationMs: 0,
      errorCode: error.code,
    },
  };
}

function outcomeOf(result: ToolResult): CommandOutcome {
  const { errorCode, durationMs } = result.details;
  const failure = errorCode === undefined ? EXIT_STATUS.failed : exitStatusOfCode(errorCode);
  return {
    document: result,
    text: renderToolResult(result),
    // What the tool itself said is its answer, also when it says no.
    report: errorCode === undefined,
    exitStatus: result.isError ? failure : EXIT_STATUS.fine,
    notes: durationMs > 0 ? [formatDuration(durationMs)] : [],
  };
}
