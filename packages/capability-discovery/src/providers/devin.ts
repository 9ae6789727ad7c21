import { createFileProvider } from "../file-provider.ts";

/** Devin on the own machine, which Windsurf became. */
export const devinProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  id: "devin",
  displayName: "Devin",
  priority: 28,
  files: {
    user: ({ applicationData, home, join, platform }) => [
      join(home, ".config", "devin", "mcp_config.json"),
      ...(platform === "win32" ? [join(applicationData, "devin", "mcp_config.json")] : []),
    ],
    project: [".devin/mcp_config.json"],
  },
  references: ["${NAME}"],
  entry: { fields: { type: ["transport", "type"] } },
});
