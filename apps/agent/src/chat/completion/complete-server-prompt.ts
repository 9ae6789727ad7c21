import type { ServerPrompt } from "@toolgate/mcp-manager";

import { findServer } from "../mentions/find-mentions.ts";
import type { MentionSource } from "./complete-mention.ts";
import { completeMention } from "./complete-mention.ts";
import { completePairs, splitLastWord } from "./complete-pairs.ts";

/** The beginnings of servers' prompts, `/server:`, for what is typed of a command. */
export async function listServerCommands(
  word: string,
  { servers, offers }: Pick<MentionSource, "servers" | "offers">,
): Promise<string[]> {
  const matching = servers().filter((name) => `/${name}:`.startsWith(word));
  const offering = await Promise.all(matching.map(async (name) => (await offers?.has(name, "prompts")) === true));
  return matching.filter((_, index) => offering[index] === true).map((name) => `/${name}:`);
}

/**
 * Completes `/server:prompt key=value …`: the server's prompts, the arguments of one, their values as the server proposes
 * them, and mentions in the text behind.
 *
 * @returns the candidates and the end of the line that each of them replaces
 */
export async function completeServerPrompt(line: string, source: MentionSource): Promise<[string[], string]> {
  const { offers } = source;
  const server = findServer(line.slice(1), source.servers());
  if (server === undefined || offers === undefined) return [[], line];
  const typed = line.slice(server.length + 2);
  const prompts = await offers.prompts(server);
  const prompt = findWholeName(typed, prompts);
  if (prompt === undefined) {
    const names = prompts.map(({ name }) => name).filter((name) => name.startsWith(typed));
    return [names.map((name) => `/${server}:${name} `), line];
  }
  const { before, word } = splitLastWord(typed.slice(prompt.name.length));
  const pairs = await completePairs(before, word, {
    keys: prompt.arguments?.map(({ name }) => name) ?? [],
    valuesOf: (argument, value, given) =>
      offers.completePrompt(
        { server, name: prompt.name },
        { argument, value, ...(Object.keys(given).length === 0 ? {} : { arguments: given }) },
      ),
  });
  return pairs.length > 0 ? [pairs, word] : completeMention(line, source);
}

/** The prompt whose name stands whole before a blank; names may hold blanks. */
function findWholeName(typed: string, prompts: readonly ServerPrompt[]): ServerPrompt | undefined {
  return prompts
    .filter(({ name }) => typed.startsWith(name) && /\s/.test(typed.charAt(name.length)))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
}
