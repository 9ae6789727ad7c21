import { createFileProvider } from "../file-provider.ts";
import { vscodeExtensionStorage } from "./vscode-places.ts";

/** Roo Code in Visual Studio Code. An address without a type is an error there. */
export const rooProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  id: "roo",
  displayName: "Roo Code",
  priority: 40,
  files: {
    user: (places) => [
      places.join(vscodeExtensionStorage(places, "rooveterinaryinc.roo-cline"), "settings", "mcp_settings.json"),
    ],
    project: [".roo/mcp.json"],
  },
  references: ["${env:NAME}", "${workspaceFolder}"],
  entry: { untypedUrl: "stdio", timeoutUnit: "s" },
  writing: {
    transports: { stdio: "stdio", http: "streamable-http", sse: "sse" },
    fields: { cwd: "cwd", timeout: "timeout", excludeTools: "disabledTools" },
    timeoutUnit: "s",
    flag: "disabled",
    reference: "${env:NAME}",
  },
});
