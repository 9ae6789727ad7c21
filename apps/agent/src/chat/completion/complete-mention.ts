import { findServer, mayBeginMention } from "../mentions/find-mentions.ts";
import { completePath } from "./complete-path.ts";
import { findTemplatePosition } from "./complete-template.ts";
import type { Offers } from "./server-offers.ts";
import { findOffering } from "./server-offers.ts";

/** What mentions are completed from. */
export interface MentionSource {
  servers: () => readonly string[];
  /** What servers offer beside tools. @default nothing */
  offers?: Offers | undefined;
  /** Where paths start. @default there are none */
  cwd?: string | undefined;
}

/** A mention that is being typed at the end of a line. */
interface OpenMention {
  /** From the `@` on. */
  word: string;
  server: string | undefined;
  /** What is typed of the URI or the path. */
  typed: string;
}

/**
 * Completes the mention at the end of a line: names of servers and paths, then the URIs of the server's resources and
 * those that its templates make.
 *
 * @returns the candidates and the word that each of them replaces
 */
export async function completeMention(line: string, source: MentionSource): Promise<[string[], string]> {
  const open = findOpenMention(line, source.servers());
  if (open === undefined) return [[], line];
  const { word, server, typed } = open;
  const targets = server === undefined ? await completeTarget(typed, source) : await completeUri(server, typed, source);
  return [targets.map(toMention), word];
}

function findOpenMention(line: string, servers: readonly string[]): OpenMention | undefined {
  for (let index = line.lastIndexOf("@"); index >= 0; index = index === 0 ? -1 : line.lastIndexOf("@", index - 1)) {
    if (!mayBeginMention(line, index)) continue;
    const rest = line.slice(index + 1);
    const server = findServer(rest, servers);
    const typed = server === undefined ? rest : rest.slice(server.length + 1);
    const isNamePart = server === undefined && servers.some((name) => name.startsWith(typed));
    // Names of servers may hold blanks; nothing else of a mention does.
    if (!/\s/.test(typed) || isNamePart) {
      return { word: line.slice(index), server, typed };
    }
  }
  return undefined;
}

/** A candidate, and whether nothing follows it. */
interface Target {
  text: string;
  isWhole: boolean;
}

async function completeTarget(typed: string, { servers, offers, cwd }: MentionSource): Promise<Target[]> {
  const matching = servers().filter((name) => `${name}:`.startsWith(typed));
  const [offering, paths] = await Promise.all([
    findOffering(matching, "resources", offers),
    cwd === undefined ? [] : completePath(cwd, typed),
  ]);
  return [
    ...offering.map((name) => ({ text: `${name}:`, isWhole: false })),
    ...paths.map((path) => ({ text: path, isWhole: !path.endsWith("/") })),
  ];
}

async function completeUri(server: string, typed: string, { offers }: MentionSource): Promise<Target[]> {
  if (offers === undefined) return [];
  const [resources, templates] = await Promise.all([offers.resources(server), offers.templates(server)]);
  const proposed = await Promise.all(
    templates.map(async ({ uriTemplate }): Promise<Target[]> => {
      const position = findTemplatePosition(uriTemplate, typed);
      if (position === undefined) return [];
      if (position.kind === "literal") return [{ text: position.uri, isWhole: !uriTemplate.includes("{") }];
      const { name, value, known, fill, isLast } = position;
      const wanted = { argument: name, value, ...(Object.keys(known).length === 0 ? {} : { arguments: known }) };
      const values = await offers.completeTemplate({ server, uri: uriTemplate }, wanted);
      return values.map((each) => ({ text: fill(each), isWhole: isLast }));
    }),
  );
  const targets = [...resources.map(({ uri }) => ({ text: uri, isWhole: true })), ...proposed.flat()];
  const distinct = new Map(targets.map((target) => [target.text, target]));
  return [...distinct.values()]
    .filter(({ text }) => text.startsWith(typed))
    .map(({ text, isWhole }) => ({ text: `${server}:${text}`, isWhole }));
}

/** A blank ends a mention, unless the whole stands in quotes. */
function toMention({ text, isWhole }: Target): string {
  if (!isWhole) return `@${text}`;
  return /\s/.test(text) ? `@"${text}" ` : `@${text} `;
}
