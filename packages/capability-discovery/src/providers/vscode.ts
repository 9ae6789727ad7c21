import { createFileProvider } from "../file-provider.ts";

/** Visual Studio Code and its Insiders build. */
export const vscodeProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  id: "vscode",
  displayName: "VS Code",
  priority: 20,
  files: {
    user: ({ applicationData, join }) =>
      ["Code", "Code - Insiders"].map((product) => join(applicationData, product, "User", "mcp.json")),
    project: [".vscode/mcp.json"],
  },
  servers: "servers",
  writing: {
    transports: { stdio: "stdio", http: "http", sse: "sse" },
    fields: { cwd: "cwd", envFile: "envFile" },
    reference: "${env:NAME}",
  },
  references: [
    "${input:ID}",
    "${env:NAME}",
    "${userHome}",
    "${workspaceFolder}",
    "${workspaceFolderBasename}",
    "${pathSeparator}",
    "${/}",
  ],
  entry: { envFile: true },
});
