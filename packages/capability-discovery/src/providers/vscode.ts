import { createFileProvider } from "../file-provider.ts";
import { vscodeRules, vscodeWriting } from "./vscode-entry.ts";
import { vscodeUserFolder } from "./vscode-places.ts";

/** Visual Studio Code and its Insiders build, each with its named profiles. */
export const vscodeProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  ...vscodeRules,
  id: "vscode",
  displayName: "VS Code",
  priority: 20,
  files: {
    user: (places) =>
      ["Code", "Code - Insiders"].flatMap((product) => {
        const folder = vscodeUserFolder(places, product);
        return [places.join(folder, "mcp.json"), { path: places.join(folder, "profiles"), below: "*/mcp.json" }];
      }),
    project: [".vscode/mcp.json"],
  },
  writing: vscodeWriting,
});
