import type { EntryHook, EntryTools } from "../entry-item.ts";
import { createFileProvider } from "../file-provider.ts";
import { translateCodexEntry } from "./codex-entry.ts";

const STDIO_KEYS = ["command", "args", "env", "env_vars", "cwd"];
const HTTP_KEYS = ["url", "bearer_token_env_var", "http_headers", "env_http_headers", "oauth_resource"];

/** Codex. It expands nothing; variables are named by fields of their own. */
export const codexProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  id: "codex",
  displayName: "Codex",
  priority: 70,
  files: {
    user: ({ home, join, variable }) => [join(variable("CODEX_HOME") ?? join(home, ".codex"), "config.toml")],
    project: [".codex/config.toml"],
  },
  servers: "mcp_servers",
  prepare: prepareCodexEntry,
  entry: {
    name: /^[a-zA-Z0-9_-]+$/,
    fields: { includeTools: "enabled_tools", excludeTools: "disabled_tools" },
  },
});

function prepareCodexEntry(raw: Record<string, unknown>, tools: EntryTools): ReturnType<EntryHook> {
  if (Object.hasOwn(raw, "bearer_token")) {
    return { invalid: 'Codex refuses "bearer_token"; use "bearer_token_env_var"' };
  }
  const stdio = STDIO_KEYS.filter((key) => Object.hasOwn(raw, key));
  const http = HTTP_KEYS.filter((key) => Object.hasOwn(raw, key));
  if (stdio.length > 0 && http.length > 0)
    return { invalid: `${quoteAll(stdio)} and ${quoteAll(http)} exclude each other` };
  return { entry: translateCodexEntry(raw, tools) };
}

function quoteAll(keys: readonly string[]): string {
  return keys.map((key) => JSON.stringify(key)).join(", ");
}
