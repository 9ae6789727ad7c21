import { createFileProvider } from "../file-provider.ts";
import { opencodeRules, opencodeWriting } from "./opencode-settings.ts";

const NAMES = ["kilo.json", "kilo.jsonc"] as const;

/** Kilo Code, a relative of opencode. Its place on Windows could not be verified. */
export const kiloProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  ...opencodeRules,
  id: "kilo",
  displayName: "Kilo Code",
  priority: 28,
  files: {
    user: ({ configHome, join }) => NAMES.map((name) => join(configHome, "kilo", name)),
    project: [".kilo/", ".kilocode/", ""].flatMap((folder) => NAMES.map((name) => `${folder}${name}`)),
  },
  writing: opencodeWriting,
});
