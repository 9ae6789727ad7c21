import { createFileProvider } from "../file-provider.ts";

/** Junie, the plugin of JetBrains' editors and the command. It is not known to expand anything. */
export const junieProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  id: "junie",
  displayName: "Junie",
  priority: 35,
  files: {
    user: ({ home, join }) => [join(home, ".junie", "mcp", "mcp.json")],
    project: [".junie/mcp/mcp.json"],
  },
  writing: { transports: { stdio: true, http: true } },
});
