import { addServer } from "@toolgate/capability-discovery";
import type { MCPServerConfig } from "@toolgate/contracts";
import { maskServerConfig, messageOf } from "@toolgate/contracts";

import { formatPath } from "../../terminal/format.ts";
import { sanitizeLine, sanitizeText } from "../../terminal/sanitize-text.ts";
import type { TrustSubject } from "../../trust/definition-hash.ts";
import { needsApproval, trustSubjectOf } from "../../trust/project-approval.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandOutcome } from "../command-outcome.ts";
import { EXIT_STATUS, usageOutcome } from "../command-outcome.ts";
import { fileForScope } from "../editable-source.ts";
import { endInSession, startInSession } from "../live-session.ts";
import type { MCPCommand } from "../mcp-command.ts";

type AddCommand = Extract<MCPCommand, { name: "add" }>;

/** `add`: writes a server to the user's own file, to `.mcp.json` or to a client's file. What a person types is thereby approved. */
export async function addOneServer(command: AddCommand, context: CommandContext): Promise<CommandOutcome> {
  const config = configOf(command);
  if (typeof config === "string") return usageOutcome(config);
  const { server, scope, replace, to } = command;
  const file = fileForScope(scope, context, to);
  const result = await addServer(file.path, server, config, { ...file, replace });

  const loaded = await context.servers.load();
  const source = loaded.sources[server];
  const notes: string[] = [];
  if (source !== undefined && source.path === result.path && needsApproval(source)) {
    const definition = loaded.entries[server]?.definition;
    const refusal = await approveWritten(trustSubjectOf({ name: server, config, definition, source }), context);
    if (refusal !== undefined) notes.push(refusal);
  }
  if (source !== undefined && source.path !== result.path) {
    notes.push(`${server} in ${formatPath(source.path, context)} wins over it.`);
  }
  if (loaded.disabled[server] !== undefined) {
    notes.push(`${server} is switched off: ${context.prefix} enable ${server}`);
  }
  if (replace) await endInSession(server, context);
  const connected = await startInSession([server], loaded, context);
  const what = connected.includes(server) ? "added and connected" : "added";
  return {
    document: {
      name: server,
      scope,
      ...(to === undefined ? {} : { to }),
      path: result.path,
      changed: result.changed,
      created: result.created,
      config: maskServerConfig(config),
    },
    text: sanitizeLine(`${server}: ${what} (${formatPath(result.path, context)})`),
    exitStatus: EXIT_STATUS.fine,
    notes: notes.map(sanitizeText),
  };
}

/** Approves what a person has just written; when that is impossible, says how to do it by hand. */
export async function approveWritten(
  subject: TrustSubject,
  { trust, prefix }: CommandContext,
): Promise<string | undefined> {
  try {
    await trust.approve([subject]);
    return undefined;
  } catch (error) {
    return `It is not approved yet (${messageOf(error)}): ${prefix} trust ${subject.name}`;
  }
}

/** The entry that was asked for, or what is wrong with the request. */
function configOf(command: AddCommand): MCPServerConfig | string {
  const { url, transport = "http", headers, env } = command;
  const [program, ...args] = command.command;
  if (url === undefined) {
    if (program === undefined) return "Say what to add: a command after --, or --url.";
    if (command.transport !== undefined) return "--transport goes with --url.";
    if (Object.keys(headers).length > 0) return "--header goes with --url; a process gets --env.";
    return { command: program, ...(args.length === 0 ? {} : { args }), ...(isEmpty(env) ? {} : { env }) };
  }
  if (program !== undefined) return "A server has either a command or --url.";
  if (!isEmpty(env)) return "--env goes with a command; a remote server gets --header.";
  return { type: transport, url, ...(isEmpty(headers) ? {} : { headers }) };
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}
