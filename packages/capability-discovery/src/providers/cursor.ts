import { createFileProvider } from "../file-provider.ts";

/** Cursor. */
export const cursorProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  id: "cursor",
  displayName: "Cursor",
  priority: 50,
  files: {
    user: ({ home, join }) => [join(home, ".cursor", "mcp.json")],
    project: [".cursor/mcp.json"],
  },
  references: [
    "${env:NAME}",
    "${input:ID}",
    "${userHome}",
    "${workspaceFolder}",
    "${workspaceFolderBasename}",
    "${pathSeparator}",
    "${/}",
  ],
  entry: { envFile: true },
  writing: { transports: { stdio: true, http: true }, fields: { envFile: "envFile" }, reference: "${env:NAME}" },
});
