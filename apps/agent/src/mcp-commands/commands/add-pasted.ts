import { readPastedServers } from "@toolgate/capability-discovery";
import type { PastedServer } from "@toolgate/capability-discovery";
import type { MCPServerConfig } from "@toolgate/contracts";
import { messageOf } from "@toolgate/contracts";

import { formatCount } from "../../terminal/format.ts";
import { sanitizeLine, sanitizeText } from "../../terminal/sanitize-text.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandOutcome } from "../command-outcome.ts";
import { EXIT_STATUS } from "../command-outcome.ts";
import { fileForScope } from "../editable-source.ts";
import type { MCPCommand } from "../mcp-command.ts";
import {
  previewNewServer,
  renderWritten,
  takeInNewServers,
  writeNewServer,
  writtenDocument,
} from "../write-new-servers.ts";
import type { WrittenServer } from "../write-new-servers.ts";

type PasteCommand = Extract<MCPCommand, { name: "add-pasted" }>;

interface Problem {
  name: string;
  message: string;
}

/**
 * `add --paste`: adds the servers of a text in any client's form. In a terminal it shows what will be written, and asks;
 * one server that cannot be added is named and takes no other with it.
 */
export async function addPastedServers(command: PasteCommand, context: CommandContext): Promise<CommandOutcome> {
  // A client that does not exist is no reason to wait for a text.
  fileForScope(command.scope, context, command.to);
  const text = command.text ?? (await context.readInput());
  const { form, servers, problems } = await readPastedServers(text, {
    context,
    ...(command.as === undefined ? {} : { name: command.as }),
  });
  if (servers.length > 0 && !(await isWanted(form, servers, { command, context }))) {
    return {
      document: { form, added: [], failed: problems },
      text: "Nothing was written.",
      exitStatus: EXIT_STATUS.fine,
      notes: problems.map(renderProblem),
    };
  }
  const { written, failed } = await writeAll(servers, { command, context });
  const { connected, notes } =
    written.length === 0 ? { connected: [], notes: [] } : await takeInNewServers(written, command, context);
  const allFailed = [...problems, ...failed];
  const hints = servers
    .filter(({ name }) => written.some(({ server }) => server === name))
    .flatMap((server) => [...server.warnings, ...envFileNotes(server, command)]);
  return {
    document: { form, added: written.map(writtenDocument), failed: allFailed, warnings: hints },
    text: [...written.map((server) => renderWritten(server, connected, context)), ...allFailed.map(renderProblem)].join(
      "\n",
    ),
    report: true,
    exitStatus: allFailed.length === 0 ? EXIT_STATUS.fine : EXIT_STATUS.failed,
    notes: [...hints.map(sanitizeText), ...notes],
  };
}

/** Asks where somebody can answer; a pipe and `--yes` have decided. */
async function isWanted(
  form: string,
  servers: readonly PastedServer[],
  { command, context }: { command: PasteCommand; context: CommandContext },
): Promise<boolean> {
  if (command.yes || context.confirm === undefined) return true;
  const entries = servers.map((server) =>
    previewNewServer(server.name, configToWrite(server, command), { choice: command, context }),
  );
  const heading = `${formatCount(servers.length, "server")}, read as ${form}:`;
  return context.confirm(`${heading}\n${entries.join("\n")}\nWrite ${servers.length === 1 ? "it" : "them"}?`);
}

async function writeAll(
  servers: readonly PastedServer[],
  { command, context }: { command: PasteCommand; context: CommandContext },
): Promise<{ written: WrittenServer[]; failed: Problem[] }> {
  const written: WrittenServer[] = [];
  const failed: Problem[] = [];
  for (const server of servers) {
    const { name } = server;
    try {
      // oxlint-disable-next-line no-await-in-loop -- all of them go to one file
      written.push(await writeNewServer(name, configToWrite(server, command), { choice: command, context }));
    } catch (error) {
      failed.push({ name, message: messageOf(error) });
    }
  }
  return { written, failed };
}

/** Toolgate's own file has a field for a file of variables, which the common form of an entry lacks. */
function configToWrite({ config, envFile }: PastedServer, command: PasteCommand): MCPServerConfig {
  return envFile === undefined || !isOwnFile(command) ? config : Object.assign({ ...config }, { envFile });
}

function envFileNotes({ name, envFile }: PastedServer, command: PasteCommand): string[] {
  if (envFile === undefined || isOwnFile(command)) return [];
  return [`${name}: its envFile ${envFile} was left out.`];
}

function isOwnFile({ scope, to }: PasteCommand): boolean {
  return to === undefined && scope === "user";
}

function renderProblem({ name, message }: Problem): string {
  return sanitizeLine(message.includes(name) ? message : `${name}: ${message}`);
}
