import { createFileProvider } from "../file-provider.ts";

/** Antigravity. Which of its user files counts could not be verified, so that both are read and none is written. */
export const antigravityProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  id: "antigravity",
  displayName: "Antigravity",
  priority: 28,
  files: {
    user: ({ home, join }) => [
      join(home, ".gemini", "config", "mcp_config.json"),
      join(home, ".gemini", "antigravity", "mcp_config.json"),
    ],
    project: [".agents/mcp_config.json"],
  },
  entry: { fields: { url: ["serverUrl", "url"] } },
});
