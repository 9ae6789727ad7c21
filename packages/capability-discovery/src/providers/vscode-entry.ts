import type { FileRules } from "../file-provider.ts";
import type { WriteRules } from "../write-rules.ts";

/** Visual Studio Code's way of writing servers, which GitHub Copilot shares in other editors. */
export const vscodeRules: FileRules = {
  servers: "servers",
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
};

/** The reverse of {@link vscodeRules}. */
export const vscodeWriting: WriteRules = {
  transports: { stdio: "stdio", http: "http", sse: "sse" },
  fields: { cwd: "cwd", envFile: "envFile" },
  reference: "${env:NAME}",
};
