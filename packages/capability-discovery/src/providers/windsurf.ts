import { createFileProvider } from "../file-provider.ts";

/** Windsurf, the editor and the JetBrains plugin. It has no project files. */
export const windsurfProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  id: "windsurf",
  displayName: "Windsurf",
  priority: 50,
  files: {
    user: ({ home, join }) => [
      join(home, ".codeium", "windsurf", "mcp_config.json"),
      join(home, ".codeium", "mcp_config.json"),
    ],
  },
  references: ["${env:NAME}", "${file:PATH}"],
  entry: { fields: { url: ["serverUrl", "url"] } },
  writing: {
    transports: { stdio: true, http: true },
    fields: { url: "serverUrl" },
    flag: "disabled",
    reference: "${env:NAME}",
  },
});
