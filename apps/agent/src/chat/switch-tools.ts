import { isServerTool } from "@toolgate/mcp-manager";

import { suggestNearest } from "../mcp-commands/nearest-name.ts";
import { matchesTool } from "../session/tool-patterns.ts";
import type { ToolRegistry } from "../session/tool-registry.ts";
import { formatCount } from "../terminal/format.ts";
import { sanitizeLine } from "../terminal/sanitize-text.ts";

/**
 * `/tools off` and `/tools on`: which tools the model gets in this session. Nothing is written, no server ends, and a tool
 * that is off can still be called by hand.
 *
 * @param words - `on` or `off`, then names of servers, or names and globs of tools; alone it shows what is off.
 * @returns what is to be shown; undefined when the words are about something else
 */
export function switchTools(tools: ToolRegistry, words: string): string | undefined {
  const [, state, rest = ""] = /^(on|off)(?:\s+(.*))?$/s.exec(words.trim()) ?? [];
  if (state === undefined) return undefined;
  const patterns = rest.split(/[\s,]+/).filter((pattern) => pattern !== "");
  if (patterns.length === 0) return describeOff(tools);
  const all = tools.list();
  const meant = new Set<string>();
  for (const pattern of patterns) {
    const found = all.filter((tool) => (isServerTool(tool) && tool.server === pattern) || matchesTool(tool, pattern));
    if (found.length === 0) {
      const known = all.flatMap((tool) => [tool.name, ...(isServerTool(tool) ? [tool.server] : [])]);
      return sanitizeLine(`There is no server and no tool ${pattern}.${suggestNearest(pattern, known)}`);
    }
    for (const { name } of found) meant.add(name);
  }
  const active = all.filter(({ name }) => (meant.has(name) ? state === "on" : tools.isActive(name)));
  tools.setActive(active.map(({ name }) => name));
  return `${formatCount(meant.size, "tool")} ${state}; the model gets ${formatCount(active.length, "tool")} from now on.`;
}

function describeOff(tools: ToolRegistry): string {
  const off = tools.list().filter(({ name }) => !tools.isActive(name));
  if (off.length === 0)
    return "All tools are on. /tools off SERVER, or the name or glob of a tool, keeps them from the model.";
  return `Off in this session: ${off.map(({ name }) => sanitizeLine(name)).join(", ")}`;
}
