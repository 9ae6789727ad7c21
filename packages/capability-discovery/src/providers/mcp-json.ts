import { sourceOf } from "../capability.ts";
import { createFileProvider } from "../file-provider.ts";
import type { FinishTools, ServerProviderItem } from "../file-provider.ts";
import { baseName } from "../places.ts";
import { claudeRules, claudeWriting } from "./claude-entry.ts";
import { readClaudeRefusals } from "./claude-files.ts";
import { disableItem, readSilently } from "./disable-item.ts";

/**
 * `.mcp.json` in Claude Code's syntax, which several clients read, and `mcp.json`. What Claude Code has switched off is
 * disabled here too.
 */
export const mcpJsonProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  id: "mcp-json",
  displayName: ".mcp.json",
  priority: 5,
  files: {
    project: [
      { path: ".mcp.json", ...claudeRules },
      {
        path: "mcp.json",
        ...claudeRules,
        entry: { untypedUrl: "http" },
        servers: (document) => {
          const key = (document["mcpServers"] ?? undefined) === undefined ? "servers" : "mcpServers";
          return [{ servers: document[key], keys: [key] }];
        },
      },
    ],
  },
  // The file is Toolgate's own too, which knows the field.
  writing: { ...claudeWriting, flag: "enabled" },
  finish: applyClaudeRefusals,
});

async function applyClaudeRefusals(items: ServerProviderItem[], tools: FinishTools): Promise<ServerProviderItem[]> {
  if (!items.some(isClaudeItem)) return items;
  // Files of Claude Code that cannot be used are reported by its own provider.
  const { servers, projectServers } = await readClaudeRefusals({ ...tools, read: readSilently(tools) });
  return items.map((item) =>
    isClaudeItem(item) ? disableItem(item, servers.get(item.name) ?? projectServers.get(item.name)) : item,
  );
}

function isClaudeItem(item: ServerProviderItem): boolean {
  return baseName(sourceOf(item).path) === ".mcp.json";
}
