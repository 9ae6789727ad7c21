import type { CompleterResult } from "node:readline";

import type { DescribedCommand, WordKind } from "../mcp-commands/describe-commands.ts";

/** What can be completed, asked anew for each Tab. */
export interface CompletionSource {
  /** Names after `/`. */
  commands: readonly string[];
  /** Commands after `/mcp`. */
  mcpCommands: readonly DescribedCommand[];
  /** Ids of the clients. */
  clients: readonly string[];
  servers(): readonly string[];
  tools(): readonly string[];
}

/** Commands of the chat that are short for one of `/mcp`. */
const SHORTHANDS: ReadonlySet<string> = new Set(["/call", "/tools"]);

/** Completes the last word of a line of the chat: commands, then their options, servers, tools or clients. */
export function completeInput(line: string, source: CompletionSource): CompleterResult {
  if (!line.startsWith("/")) return [[], line];
  const words = line.split(/\s+/);
  const word = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const matches = candidatesOf(before, word, source)
    .filter((candidate) => candidate.startsWith(word))
    .map((candidate) => `${candidate} `);
  return [matches, word];
}

function candidatesOf(before: readonly string[], word: string, source: CompletionSource): readonly string[] {
  const [first = "", ...rest] = before;
  if (before.length === 0) return source.commands;
  if (SHORTHANDS.has(first)) return completeMCP([first.slice(1), ...rest], word, source);
  return first === "/mcp" ? completeMCP(rest, word, source) : [];
}

/**
 * What may follow the words of a `/mcp` command.
 *
 * @param before - The whole words after `/mcp`.
 * @param word - The word that is being typed: options are offered once it begins with a dash.
 */
export function completeMCP(
  before: readonly string[],
  word: string,
  source: Omit<CompletionSource, "commands">,
): readonly string[] {
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

function valuesOf(kind: WordKind, source: Omit<CompletionSource, "commands">): readonly string[] {
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
