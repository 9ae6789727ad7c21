import { createFileProvider } from "../file-provider.ts";
import { vscodeRules, vscodeWriting } from "./vscode-entry.ts";

/** GitHub Copilot in JetBrains IDEs. It writes servers as Visual Studio Code does. */
export const copilotJetbrainsProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  ...vscodeRules,
  id: "copilot-jetbrains",
  displayName: "Copilot for JetBrains",
  priority: 32,
  files: {
    user: ({ platform, configHome, localApplicationData, join }) => {
      const folder = platform === "win32" ? localApplicationData : configHome;
      return [join(folder, "github-copilot", "intellij", "mcp.json")];
    },
  },
  writing: vscodeWriting,
});
