import { sourceOf } from "../capability.ts";
import { createFileProvider } from "../file-provider.ts";
import type { FinishTools, ServerGroup, ServerProviderItem } from "../file-provider.ts";
import { claudeRules, claudeWriting } from "./claude-entry.ts";
import {
  claudeManagedFile,
  claudeProjectFolders,
  claudeSettingsFiles,
  claudeUserFile,
  findClaudeProjects,
  readClaudeRefusals,
} from "./claude-files.ts";
import { isPermitted } from "./claude-policy.ts";
import { disableItem } from "./disable-item.ts";

/**
 * Claude Code: the user's servers, the user's servers for this project (which rank above the project's own), and those
 * of the machine's administrator. `.mcp.json` is read by the provider `mcp-json`.
 */
export const claudeCodeProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  ...claudeRules,
  id: "claude-code",
  displayName: "Claude Code",
  priority: 80,
  files: {
    user: (places) => [
      {
        path: claudeUserFile(places),
        servers: (document, { projectFolders }): ServerGroup[] => [
          ...findClaudeProjects(document, claudeProjectFolders(projectFolders)).map(({ key, project }) => ({
            servers: project["mcpServers"],
            origin: `projects[${JSON.stringify(key)}]`,
            scope: "local" as const,
          })),
          { servers: document["mcpServers"], keys: ["mcpServers"] },
        ],
      },
    ],
    system: (places) => [claudeManagedFile(places, "managed-mcp.json")],
  },
  furtherFiles: (places, folders) => [
    ...claudeSettingsFiles(places, folders),
    { path: claudeManagedFile(places, "managed-settings.json"), level: "system" },
  ],
  writing: { ...claudeWriting, key: "mcpServers" },
  finish: applyClaudeSettings,
});

async function applyClaudeSettings(items: ServerProviderItem[], tools: FinishTools): Promise<ServerProviderItem[]> {
  if (items.length === 0) return items;
  const managedFile = claudeManagedFile(tools.places, "managed-mcp.json");
  const settingsFile = claudeManagedFile(tools.places, "managed-settings.json");
  const [refusals, managed, settings] = await Promise.all([
    readClaudeRefusals(tools),
    tools.read(managedFile),
    tools.read(settingsFile),
  ]);
  return items
    .filter((item) => {
      if (managed === undefined || sourceOf(item).level === "system") return true;
      const message = `Server ${JSON.stringify(item.name)} is left out: ${managedFile} allows only its own servers.`;
      tools.warn({ path: sourceOf(item).path, message, server: item.name });
      return false;
    })
    .map((item) => disableItem(item, refusals.servers.get(item.name)))
    .map((item) =>
      settings === undefined || isPermitted(item.name, item.config, settings) ? item : disableItem(item, settingsFile),
    );
}
