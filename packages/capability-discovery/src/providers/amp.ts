import { createFileProvider } from "../file-provider.ts";
import { vscodeUserFolder } from "./vscode-places.ts";

/** Amp: its own settings, the same key in those of Visual Studio Code, and those of the machine's administrator. */
export const ampProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  id: "amp",
  displayName: "Amp",
  priority: 45,
  files: {
    user: (places) => [
      ...["settings.json", "settings.jsonc"].map((name) => places.join(places.home, ".config", "amp", name)),
      places.join(vscodeUserFolder(places), "settings.json"),
    ],
    project: [".amp/settings.json", ".amp/settings.jsonc"],
    system: ({ machineData, join }) => [join(machineData, "ampcode", "managed-settings.json")],
  },
  // One key with a dot in it, not a path.
  servers: "amp.mcpServers",
  references: ["${NAME}"],
  writing: {
    transports: { stdio: true, http: true },
    fields: { includeTools: "includeTools" },
    flag: "disabled",
    reference: "${NAME}",
  },
});
