import { ToolgateError } from "@toolgate/contracts";
import type { MCPManager, ServerPrompt } from "@toolgate/mcp-manager";

import { suggestNearest } from "../../mcp-commands/nearest-name.ts";
import { labelOf, quoteServer } from "../../server-requests/server-words.ts";
import { serverNamesOf } from "../../session/server-names.ts";
import { formatCount } from "../../terminal/format.ts";
import { sanitizeLine } from "../../terminal/sanitize-text.ts";
import { limitAttachments } from "../mentions/attachment-limits.ts";
import { findServer } from "../mentions/find-mentions.ts";
import { findNamedPrompt } from "./find-named-prompt.ts";
import type { PromptArgument } from "./prompt-arguments.ts";
import { parsePromptArguments } from "./prompt-arguments.ts";
import type { UserTurn } from "./prompt-turn.ts";
import { toUserTurn } from "./prompt-turn.ts";

const DEFAULT_COLUMNS = 80;
/** Lines of what a server says about an argument. */
const MAX_DESCRIPTION_LINES = 6;

/** What a prompt of a server is asked for with. */
export interface ServerPromptContext {
  manager: MCPManager | undefined;
  signal: AbortSignal;
  /** Asks for an argument. @default nobody is there to ask */
  readLine?: (question: string) => Promise<string>;
  /** How wide a question may be. @default 80 */
  columns?: number;
}

/** A prompt that was filled in. */
export interface FilledPrompt extends UserTurn {
  /** One line for people. */
  summary: string;
}

/**
 * Carries out `/server:prompt key=value … text`: has the server fill its prompt in, and makes the turn of a person of it.
 * A server that still starts is waited for.
 *
 * @throws ToolgateError with the server's own reason, or `NOT_CONNECTED` and `NOT_OFFERED` with the nearest names
 * @throws Error that names the arguments which are missing
 */
export async function fillServerPrompt(line: string, context: ServerPromptContext): Promise<FilledPrompt> {
  const { manager, signal } = context;
  const servers = serverNamesOf(manager);
  const server = findServer(line.slice(1), servers);
  if (manager === undefined || server === undefined) throw unknownServer(line, servers);
  const { prompt, rest } = await findPrompt(line.slice(server.length + 2), { server, manager, signal });
  const name = `${server}:${prompt.name}`;
  const parsed = parsePromptArguments(rest, prompt.arguments ?? []);
  if (!parsed.ok) throw new Error(`${name}: ${parsed.problem}`);
  const values = { ...parsed.values, ...(await askFor(parsed.missing, name, context)) };
  const { messages } = await manager.getPrompt({ server, name: prompt.name, arguments: values }, { signal });
  if (messages.length === 0) throw new Error(`${name} gave no messages.`);
  const turn = toUserTurn(messages, name);
  return {
    text: parsed.text === "" ? turn.text : `${turn.text}\n\n${parsed.text}`,
    attachments: limitAttachments(turn.attachments),
    summary: sanitizeLine(`▸ ${name} (${formatCount(messages.length, "message")})`),
  };
}

function unknownServer(line: string, servers: readonly string[]): ToolgateError {
  const [, name = ""] = /^\/([^\s:]*)/.exec(line) ?? [];
  const known = `Servers: ${servers.join(", ") || "none"}.`;
  return new ToolgateError("NOT_CONNECTED", `There is no server ${name}.${suggestNearest(name, servers)} ${known}`);
}

async function findPrompt(
  words: string,
  { server, manager, signal }: { server: string; manager: MCPManager; signal: AbortSignal },
): Promise<{ prompt: ServerPrompt; rest: string }> {
  const { items, errors } = await manager.listPrompts({ server, signal });
  signal.throwIfAborted();
  const error = errors.get(server);
  if (error !== undefined) throw error;
  const prompt = findNamedPrompt(words, items);
  if (prompt !== undefined) return { prompt, rest: words.slice(prompt.name.length) };
  const [typed = ""] = /^\S*/.exec(words) ?? [];
  const names = items.map(({ name }) => name);
  const known = names.length === 0 ? "It has none." : `It has: ${names.join(", ")}.`;
  const what = typed === "" ? `Which prompt of ${server}?` : `${server} has no prompt ${typed}.`;
  throw new ToolgateError("NOT_OFFERED", `${what}${suggestNearest(typed, names)} ${known}`, { server });
}

/** Asks for one after the other; an empty answer is none. */
async function askFor(
  missing: readonly PromptArgument[],
  name: string,
  { readLine, columns = DEFAULT_COLUMNS }: ServerPromptContext,
): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const argument of missing) {
    // A person answers one question at a time.
    // oxlint-disable-next-line no-await-in-loop
    const answer = (await readLine?.(describeArgument(argument, name, columns)))?.trim() ?? "";
    if (answer === "") throw new Error(describeMissing(name, missing, values));
    values[argument.name] = answer;
  }
  return values;
}

/** The question for one argument, in which the server's words can be told from the app's. */
function describeArgument({ name, description = "" }: PromptArgument, prompt: string, width: number): string {
  const layout = { width, maxLines: MAX_DESCRIPTION_LINES };
  const about = description.trim() === "" ? [] : [quoteServer(description, layout)];
  return [`? ${labelOf(prompt)} needs a value.`, ...about, `  ${labelOf(name)}: `].join("\n");
}

function describeMissing(
  name: string,
  missing: readonly PromptArgument[],
  values: Readonly<Record<string, string>>,
): string {
  const names = missing.map((argument) => argument.name).filter((each) => !Object.hasOwn(values, each));
  return `${name} needs ${names.join(" and ")}: /${name} ${names.map((each) => `${each}=…`).join(" ")}`;
}
