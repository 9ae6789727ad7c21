import type { AgentTool } from "@toolgate/contracts";
import { findTool, isServerTool } from "@toolgate/mcp-manager";

import type { PromptWords } from "./prompt-words.ts";

/** The tool that a prompt means. */
export interface PickedTool {
  tool: AgentTool;
  /** What follows the tool's name, when the prompt names it outright. */
  remainder?: string;
}

/** Words that say nothing about what is to be done. */
const STOP_WORDS = new Set(
  "a an and are at be by can could do for from get give how i in is it its me my of on or please show tell that the this to use using want was what which with you your".split(
    " ",
  ),
);

const NAME_WEIGHT = 3;
/** A guess that only reads does no harm. */
const READING_WEIGHT = 1.5;

const WORD = /[^\s`"',;:()]+/g;

/** Finds a tool that is named outright, by its name or as `server.tool`; the first one counts. */
export function findNamedTool(prompt: string, tools: readonly AgentTool[]): PickedTool | undefined {
  for (const match of prompt.matchAll(WORD)) {
    const [word] = match;
    // A plain word is a name only where it looks like one: `echo` in a sentence may be anything.
    const tool = /[_./]/.test(word) || match.index === 0 ? findTool(tools, word.replace(/[.?!]$/, "")) : undefined;
    if (tool !== undefined) return { tool, remainder: prompt.slice(match.index + word.length).trim() };
  }
  return undefined;
}

/** Finds what can only be the name of a server's tool where no tool has it: its server may be gone. */
export function findAbsentName(prompt: string, tools: readonly AgentTool[]): string | undefined {
  const names = prompt.match(WORD)?.map((word) => word.replace(/[.?!]$/, "")) ?? [];
  return names.find((name) => /^mcp_[^_]+_./.test(name) && findTool(tools, name) === undefined);
}

/**
 * Finds the tool whose name and description have most of a prompt's words, rare ones first. What can be an argument does
 * not count, and what only reads goes before. Of equals the first by name is taken, so that the same prompt gives the
 * same tool.
 */
export async function findToolByWords(
  words: PromptWords,
  tools: readonly AgentTool[],
): Promise<PickedTool | undefined> {
  const { default: MiniSearch } = await import("minisearch");
  const index = new MiniSearch<{ id: number; name: string; description: string }>({
    fields: ["name", "description"],
    tokenize: splitIntoWords,
    processTerm: (term) => (STOP_WORDS.has(term) ? null : term),
    searchOptions: {
      boost: { name: NAME_WEIGHT },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => term.length > 4 && 0.2,
    },
  });
  const sorted = tools.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  index.addAll(sorted.map((tool, id) => ({ id, name: namesOf(tool), description: tool.description })));
  const found = index.search([...words.plain, ...words.pairs.map(({ key }) => key)].join(" "));
  const scored = found.flatMap(({ id, score }) => {
    const tool = sorted[Number(id)];
    const weight = tool?.annotations?.readOnlyHint === true ? READING_WEIGHT : 1;
    return tool === undefined ? [] : [{ tool, score: score * weight }];
  });
  const [best] = scored.toSorted((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1));
  return best === undefined ? undefined : { tool: best.tool };
}

function namesOf(tool: AgentTool): string {
  const name = isServerTool(tool) ? `${tool.server} ${tool.tool}` : tool.name;
  return tool.annotations?.title === undefined ? name : `${name} ${tool.annotations.title}`;
}

function splitIntoWords(text: string): string[] {
  const parts = text.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return parts.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}
