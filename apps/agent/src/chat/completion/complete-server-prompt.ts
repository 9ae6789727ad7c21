import { findServer } from "../mentions/find-mentions.ts";
import { findNamedPrompt } from "../server-prompts/find-named-prompt.ts";
import type { MentionSource } from "./complete-mention.ts";
import { completeMention } from "./complete-mention.ts";
import { completePairs, splitLastWord } from "./complete-pairs.ts";
import { findOffering } from "./server-offers.ts";

/** The beginnings of servers' prompts, `/server:`, for what is typed of a command. */
export async function listServerCommands(
  word: string,
  { servers, offers }: Pick<MentionSource, "servers" | "offers">,
): Promise<string[]> {
  const matching = servers().filter((name) => `/${name}:`.startsWith(word));
  return (await findOffering(matching, "prompts", offers)).map((name) => `/${name}:`);
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
  const prompt = findNamedPrompt(typed, prompts);
  // A name at the end of what is typed may go on.
  if (prompt === undefined || prompt.name === typed) {
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
