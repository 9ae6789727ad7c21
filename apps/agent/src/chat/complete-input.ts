import type { CompleterResult } from "node:readline";

/** What can be completed, asked anew for each Tab. */
export interface CompletionSource {
  /** Names after `/`. */
  commands: readonly string[];
  /** Words after `/mcp`. */
  mcpCommands: readonly string[];
  servers(): readonly string[];
  tools(): readonly string[];
}

/** Words after which a tool is named rather than a server. */
const TOOL_WORDS = new Set(["call"]);

/** Completes the last word of a line of the chat: commands, then servers or tools. */
export function completeInput(line: string, source: CompletionSource): CompleterResult {
  if (!line.startsWith("/")) return [[], line];
  const words = line.split(/\s+/);
  const word = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const matches = candidates(before, source)
    .filter((candidate) => candidate.startsWith(word))
    .map((candidate) => `${candidate} `);
  return [matches, word];
}

function candidates(before: readonly string[], source: CompletionSource): readonly string[] {
  const [first, second] = before;
  if (first === undefined) return source.commands;
  if (first === "/call") return before.length === 1 ? source.tools() : [];
  if (first === "/tools") return before.length === 1 ? source.servers() : [];
  if (first !== "/mcp") return [];
  if (second === undefined) return source.mcpCommands;
  if (before.length > 2) return [];
  return TOOL_WORDS.has(second) ? source.tools() : source.servers();
}
