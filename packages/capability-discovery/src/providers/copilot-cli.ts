import type { EntryHook } from "../entry-item.ts";
import { createFileProvider } from "../file-provider.ts";

/** GitHub Copilot on the command line. It also reads `.mcp.json`, which the provider `mcp-json` reads. */
export const copilotCliProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  id: "copilot-cli",
  displayName: "Copilot CLI",
  priority: 35,
  files: {
    user: ({ home, join, variable }) => [join(variable("COPILOT_HOME") ?? join(home, ".copilot"), "mcp-config.json")],
    project: [".github/mcp.json"],
  },
  references: ["${NAME}", "${NAME:-default}"],
  prepare: dropToolWildcard,
  entry: { fields: { includeTools: "tools" } },
  writing: {
    transports: { stdio: "local", http: "http", sse: "sse" },
    fields: { includeTools: "tools" },
    reference: "${NAME}",
    constants: { tools: ["*"] },
  },
});

/** `*` stands for all tools, which is no filter. */
function dropToolWildcard(raw: Record<string, unknown>): ReturnType<EntryHook> {
  const { tools, ...rest } = raw;
  return { entry: Array.isArray(tools) && tools.includes("*") ? rest : raw };
}
