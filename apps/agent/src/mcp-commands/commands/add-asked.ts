import type { MCPServerConfig } from "@toolgate/contracts";
import { validateServerConfig } from "@toolgate/contracts";

import { sanitizeLine } from "../../terminal/sanitize-text.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandOutcome } from "../command-outcome.ts";
import { EXIT_STATUS, usageOutcome } from "../command-outcome.ts";
import type { MCPCommand, WriteScope } from "../mcp-command.ts";
import { splitWords } from "../split-words.ts";
import { previewNewServer } from "../write-new-servers.ts";
import { addConfig } from "./add.ts";

type AskCommand = Extract<MCPCommand, { name: "add-asked" }>;

/** Asks one question; what is typed of a secret is not shown where the terminal can do that. */
type Ask = (question: string, secret?: boolean) => Promise<string>;

/**
 * `add` alone: asks for what makes up a server. Nothing is written before the last answer, so that an interruption leaves
 * everything as it was; an empty answer to a question that needs one ends it too.
 */
export async function askForServer(command: AskCommand, context: CommandContext): Promise<CommandOutcome> {
  const { readLine, readSecret = readLine, confirm, signal, notify, prefix } = context;
  if (readLine === undefined || readSecret === undefined || confirm === undefined) {
    return usageOutcome(
      `Say what to add: ${prefix} add NAME -- COMMAND ARGS…, ${prefix} add NAME --url URL, or ${prefix} add --paste. ` +
        "In a terminal, add alone asks.",
    );
  }
  const ask: Ask = async (question, secret = false) =>
    (await (secret ? readSecret : readLine)(question, signal)).trim();
  const server = await ask("Name of the server: ");
  if (server === "") return nothingAdded();
  const target = await ask("Command with its arguments, or address (https://…): ");
  const config = await readConfig(target, ask, notify);
  if (config === undefined) return nothingAdded();
  const problems = validateServerConfig(server, config);
  if (problems.length > 0) return usageOutcome(`${server} cannot be added: ${problems.join("; ")}.`);
  const scope = command.scope ?? (await askForScope(ask));
  const choice = { ...command, scope };
  if (!(await confirm(`${previewNewServer(server, config, { choice, context })}\nWrite it?`))) return nothingAdded();
  return addConfig(server, config, { choice, context });
}

async function readConfig(
  target: string,
  ask: Ask,
  notify: CommandContext["notify"],
): Promise<MCPServerConfig | undefined> {
  if (/^https?:\/\//i.test(target)) {
    const headers = await askForValues("Header", ask, notify);
    return { type: "http", url: target, ...(headers === undefined ? {} : { headers }) };
  }
  const [command, ...args] = splitWords(target) ?? [];
  if (command === undefined) return undefined;
  const env = await askForValues("Environment variable", ask, notify);
  return { command, ...(args.length === 0 ? {} : { args }), ...(env === undefined ? {} : { env }) };
}

/** Names and values, until an empty answer. */
async function askForValues(
  what: string,
  ask: Ask,
  notify: CommandContext["notify"],
): Promise<Record<string, string> | undefined> {
  const values: [string, string][] = [];
  while (true) {
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    const name = await ask(`${what} (its name, or nothing to go on): `);
    if (name === "") return values.length === 0 ? undefined : Object.fromEntries(values);
    if (!/^[^\s=:]+$/.test(name)) {
      notify("Only the name; the value is asked for next.");
      continue;
    }
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    values.push([name, await ask(`Value of ${sanitizeLine(name)}: `, true)]);
  }
}

async function askForScope(ask: Ask): Promise<WriteScope> {
  const answer = await ask("For you everywhere, or for this project alone? [user/project] (user) ");
  return /^p/i.test(answer) ? "project" : "user";
}

function nothingAdded(): CommandOutcome {
  return { document: { added: [] }, text: "Nothing was added.", exitStatus: EXIT_STATUS.fine };
}
