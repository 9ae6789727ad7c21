import type { EntryHook, EntryTools } from "../entry-item.ts";
import { createFileProvider } from "../file-provider.ts";
import { translateCodexEntry } from "./codex-entry.ts";

/** Grok Build. It writes servers as Codex does, with `headers` and references to variables beside. */
export const grokProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  id: "grok",
  displayName: "Grok Build",
  priority: 28,
  files: {
    user: ({ home, join, variable }) => [join(variable("GROK_HOME") ?? join(home, ".grok"), "config.toml")],
    project: [".grok/config.toml"],
  },
  servers: "mcp_servers",
  references: ["${NAME}", "${NAME:-default}"],
  prepare: prepareGrokEntry,
});

function prepareGrokEntry(raw: Record<string, unknown>, tools: EntryTools): ReturnType<EntryHook> {
  return { entry: translateCodexEntry({ http_headers: raw["headers"], ...raw }, tools) };
}
