import type { MCPServerConfig } from "@toolgate/contracts";

import type { CommandContext } from "../command-context.ts";
import type { CommandOutcome } from "../command-outcome.ts";
import { EXIT_STATUS, usageOutcome } from "../command-outcome.ts";
import type { MCPCommand } from "../mcp-command.ts";
import { renderWritten, takeInNewServers, writeNewServer, writtenDocument } from "../write-new-servers.ts";
import type { WriteChoice } from "../write-new-servers.ts";

type AddCommand = Extract<MCPCommand, { name: "add" }>;

/** `add`: writes a server to the user's own file, to `.mcp.json` or to a client's file. What a person types is thereby approved. */
export async function addOneServer(command: AddCommand, context: CommandContext): Promise<CommandOutcome> {
  const config = configOf(command);
  if (typeof config === "string") return usageOutcome(config);
  return addConfig(command.server, config, { choice: command, context });
}

/** Adds one server, and says what became of it. */
export async function addConfig(
  server: string,
  config: MCPServerConfig,
  { choice, context }: { choice: WriteChoice; context: CommandContext },
): Promise<CommandOutcome> {
  const written = await writeNewServer(server, config, { choice, context });
  const { connected, notes } = await takeInNewServers([written], choice, context);
  const { scope, to } = choice;
  return {
    document: { ...writtenDocument(written), scope, ...(to === undefined ? {} : { to }) },
    text: renderWritten(written, connected, context),
    exitStatus: EXIT_STATUS.fine,
    notes,
  };
}

/** The entry that was asked for, or what is wrong with the request. */
function configOf(command: AddCommand): MCPServerConfig | string {
  const { url, transport = "http", headers, env } = command;
  const [program, ...args] = command.command;
  if (url === undefined) {
    if (program === undefined) return "Say what to add: a command after --, or --url.";
    if (command.transport !== undefined) return "--transport goes with --url.";
    if (!isEmpty(headers)) return "--header goes with --url; a process gets --env.";
    return { command: program, ...(args.length === 0 ? {} : { args }), ...(isEmpty(env) ? {} : { env }) };
  }
  if (program !== undefined) return "A server has either a command or --url.";
  if (!isEmpty(env)) return "--env goes with a command; a remote server gets --header.";
  return { type: transport, url, ...(isEmpty(headers) ? {} : { headers }) };
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}
