import { transportOf } from "@toolgate/contracts";

import { describeTarget } from "../mcp-commands/commands/sources.ts";
import { alignColumns } from "../terminal/columns.ts";
import { formatPath } from "../terminal/format.ts";
import { sanitizeLine } from "../terminal/sanitize-text.ts";
import { truncate } from "../terminal/text-width.ts";
import type { ForeignServer } from "./foreign-servers.ts";

/** What a person is shown it with. */
export interface ChoicePlaces {
  cwd: string;
  home: string;
  /** Columns of the terminal. */
  width: number;
}

/** What a person answered: names of servers, or words that name none. */
export type ServerChoice = { chosen: string[] } | { unknown: string[] };

/** What is there to choose from: by client, numbered through, secrets masked. */
export function renderForeignServers(servers: readonly ForeignServer[], places: ChoicePlaces): string {
  const rows = alignColumns(
    servers.map(({ name, config, disabled }, index) => [
      String(index + 1),
      sanitizeLine(name),
      disabled ? "off" : transportOf(config),
      sanitizeLine(describeTarget(config)),
    ]),
    { indent: "  ", right: [0] },
  );
  return servers
    .flatMap(({ source }, index) => {
      const row = truncate(rows[index] ?? "", places.width);
      const before = servers[index - 1]?.source;
      if (before?.path === source.path && before.providerName === source.providerName) return [row];
      return [`${sanitizeLine(source.providerName)} · ${sanitizeLine(formatPath(source.path, places))}`, row];
    })
    .join("\n");
}

/** Understands an answer: `all`, `none`, or names and numbers; undefined when there is none. */
export function parseChoice(answer: string, servers: readonly ForeignServer[]): ServerChoice | undefined {
  const text = answer.trim();
  if (text === "") return undefined;
  const names = servers.map(({ name }) => name);
  // A name may have blanks in it, so what stands between commas is looked at as a whole first.
  const words = text
    .split(",")
    .flatMap((part) => (names.includes(part.trim()) ? [part.trim()] : part.trim().split(/\s+/)));
  const found = words
    .filter((word) => word !== "")
    .map((word) => (names.includes(word) ? word : names[numberIn(word) - 1]));
  if (!found.includes(undefined)) return { chosen: [...new Set(found.filter((name) => name !== undefined))] };
  if (/^(?:a|all)$/i.test(text)) return { chosen: names };
  if (/^(?:n|no|none)$/i.test(text)) return { chosen: [] };
  return { unknown: words.filter((_word, index) => found[index] === undefined) };
}

function numberIn(word: string): number {
  return /^\d+$/.test(word) ? Number(word) : 0;
}

/** The question about the servers. */
const CHOICE_QUESTION = "Start [a] all, [n] none, or some by number or name: ";

/** Asks until an answer is understood; undefined when there is none. */
export async function askForServers(
  servers: readonly ForeignServer[],
  introduction: string,
  readLine: (question: string) => Promise<string>,
): Promise<string[] | undefined> {
  let question = `${introduction}\n${CHOICE_QUESTION}`;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    const choice = parseChoice(await readLine(question), servers);
    if (choice === undefined) return undefined;
    if ("chosen" in choice) return choice.chosen;
    question = `There is no server ${choice.unknown.map(sanitizeLine).join(", ")}.\n${CHOICE_QUESTION}`;
  }
}
