import { createFileProvider } from "../file-provider.ts";
import { resolvePath } from "../places.ts";
import type { Places } from "../places.ts";
import { opencodeRules, opencodeWriting } from "./opencode-settings.ts";

const NAMES = ["opencode.json", "opencode.jsonc"] as const;

/** opencode. */
export const opencodeProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  ...opencodeRules,
  id: "opencode",
  displayName: "opencode",
  priority: 55,
  files: {
    variables: ["OPENCODE_CONFIG_CONTENT"],
    user: (places) => [
      ...findNamedFile(places),
      ...findUserFolders(places).flatMap((folder) => NAMES.map((name) => places.join(folder, name))),
    ],
    project: [...NAMES.map((name) => `.opencode/${name}`), ...NAMES],
  },
  writing: opencodeWriting,
});

function findNamedFile({ cwd, variable }: Places): { path: string; format: "json" }[] {
  const path = variable("OPENCODE_CONFIG");
  return path === undefined ? [] : [{ path: resolvePath(cwd, path), format: "json" }];
}

// That opencode also looks into %APPDATA% could not be verified.
function findUserFolders({ applicationData, configHome, join, platform }: Places): string[] {
  const folders = platform === "win32" ? [configHome, applicationData] : [configHome];
  return folders.map((folder) => join(folder, "opencode"));
}
