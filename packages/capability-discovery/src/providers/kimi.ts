import { createFileProvider } from "../file-provider.ts";

/** Kimi Code. It is not known to expand anything. */
export const kimiProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  id: "kimi",
  displayName: "Kimi Code",
  priority: 28,
  files: {
    user: ({ home, join, variable }) => [join(variable("KIMI_CODE_HOME") ?? join(home, ".kimi-code"), "mcp.json")],
    project: [".kimi-code/mcp.json"],
  },
  entry: {
    fields: {
      type: ["transport", "type"],
      timeout: ["toolTimeoutMs", "timeout"],
      startupTimeout: ["startupTimeoutMs", "startupTimeout"],
    },
  },
  writing: {
    transports: { stdio: "stdio", http: "http" },
    fields: { type: "transport", timeout: "toolTimeoutMs" },
  },
});
