import type { CompleterResult } from "node:readline";

import type { JsonSchema } from "@toolgate/contracts";

import type { DescribedCommand, WordKind } from "../../mcp-commands/describe-commands.ts";
import { sanitizeLine } from "../../terminal/sanitize-text.ts";
import { findServer } from "../mentions/find-mentions.ts";
import type { MentionSource } from "./complete-mention.ts";
import { completeMention } from "./complete-mention.ts";
import { splitLastWord } from "./complete-pairs.ts";
import { completeServerPrompt, listServerCommands } from "./complete-server-prompt.ts";
import { completeToolArgument } from "./complete-tool-argument.ts";

/** What the words of `/mcp` commands are completed from. */
export interface CommandSource {
  /** Commands after `/mcp`. */
  mcpCommands: readonly DescribedCommand[];
  /** Ids of the clients. */
  clients: readonly string[];
  servers: () => readonly string[];
  tools(): readonly string[];
}

/** What can be completed, asked anew for each Tab. */
export interface CompletionSource extends CommandSource, MentionSource {
  /** Names after `/`. */
  commands: readonly string[];
  /** The words that may follow a command of the chat, by its name. @default none */
  choices?: Readonly<Record<string, readonly string[]>>;
  /** The parameters of a tool by any form of its name. @default they are not known */
  schemaOf?(tool: string): JsonSchema | undefined;
}

/** Commands of the chat that are short for one of `/mcp`. */
const SHORTHANDS: ReadonlySet<string> = new Set(["/call", "/tools"]);

/**
 * Completes the end of a line of the chat: commands with their words, tools with their arguments, servers' prompts with
 * theirs, and mentions in everything else. Never rejects; what a server does not say soon is left out.
 *
 * @returns the candidates and the end of the line that each of them replaces
 */
export async function completeInput(line: string, source: CompletionSource): Promise<CompleterResult> {
  const [candidates, word] = await findCandidates(line, source);
  // They are shown as they are, and servers have a say in them.
  return [candidates.filter((candidate) => sanitizeLine(candidate) === candidate.trim()), word];
}

async function findCandidates(line: string, source: CompletionSource): Promise<[readonly string[], string]> {
  if (!line.startsWith("/")) return completeMention(line, source);
  if (findServer(line.slice(1), source.servers()) !== undefined) return completeServerPrompt(line, source);
  const { before, word } = splitLastWord(line);
  const [first = "", ...rest] = before;
  if (before.length === 0) {
    const own = [...source.commands].filter((name) => name.startsWith(word)).map((name) => `${name} `);
    return [[...own, ...(await listServerCommands(word, source))], word];
  }
  const call = readCall(before);
  if (call !== undefined && !word.startsWith("-")) {
    return [await completeToolArgument(source.schemaOf?.(call.tool), call.pairs, word), word];
  }
  if (first === "/tools" && (rest[0] === "on" || rest[0] === "off")) {
    return [
      [...source.servers(), ...source.tools()].filter((name) => name.startsWith(word)).map((name) => `${name} `),
      word,
    ];
  }
  const choices = rest.length === 0 ? (source.choices?.[first] ?? []) : [];
  const words = [...choices, ...completeCommand(first, rest, { word, source })];
  const matching = words.filter((candidate) => candidate.startsWith(word));
  // Of a model, the name may be missing behind its provider.
  return [matching.map((candidate) => (candidate.endsWith("/") ? candidate : `${candidate} `)), word];
}

/** The tool and the words after it, once a line has come so far. */
function readCall(before: readonly string[]): { tool: string; pairs: readonly string[] } | undefined {
  const [tool, ...pairs] = before[0] === "/mcp" && before[1] === "call" ? before.slice(2) : before.slice(1);
  const isCall = before[0] === "/call" || (before[0] === "/mcp" && before[1] === "call");
  return isCall && tool !== undefined ? { tool, pairs } : undefined;
}

function completeCommand(
  first: string,
  rest: readonly string[],
  { word, source }: { word: string; source: CommandSource },
): readonly string[] {
  if (SHORTHANDS.has(first)) return completeMCP([first.slice(1), ...rest], word, source);
  return first === "/mcp" ? completeMCP(rest, word, source) : [];
}

/**
 * What may follow the words of a `/mcp` command.
 *
 * @param before - The whole words after `/mcp`.
 * @param word - The word that is being typed: options are offered once it begins with a dash.
 */
export function completeMCP(before: readonly string[], word: string, source: CommandSource): readonly string[] {
  const [name, ...rest] = before;
  const names = source.mcpCommands.map((command) => command.name);
  if (name === undefined) return [...names, "help"];
  if (name === "help") return rest.length === 0 ? names : [];
  const command = source.mcpCommands.find((item) => item.name === name || item.aliases.includes(name));
  // What follows belongs to the server.
  if (command === undefined || rest.includes("--")) return [];
  const optionOf = (text: string | undefined) => command.options.find(({ flag }) => flag === text);
  const pending = optionOf(rest.at(-1))?.value;
  if (pending !== undefined) return valuesOf(pending, source);
  if (word.startsWith("-")) return command.options.map(({ flag }) => flag);
  const position = rest.filter(
    (text, index) => !text.startsWith("-") && optionOf(rest[index - 1])?.value === undefined,
  ).length;
  const kind = command.words[position] ?? (command.isVariadic ? command.words.at(-1) : undefined);
  return kind === undefined ? [] : valuesOf(kind, source);
}

function valuesOf(kind: WordKind, source: CommandSource): readonly string[] {
  if (typeof kind === "object") return kind.choices;
  switch (kind) {
    case "server":
      return source.servers();
    case "tool":
      return source.tools();
    case "client":
      return source.clients;
    case "other":
      return [];
    default:
      return kind satisfies never;
  }
}
