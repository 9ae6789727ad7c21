import type { ConfigFormat } from "./parse-config.ts";
import type { Places } from "./places.ts";

/** A project file of Toolgate's own. */
export interface NativeProjectFile {
  /** Relative to the project folder, with `/`. */
  path: string;
  format?: ConfigFormat;
  /** Key that holds the configuration, where the file belongs to others too. */
  key?: string;
  /** Whether it holds servers only and no settings. */
  serversOnly?: boolean;
}

const CONFIG_NAMES = ["config.json", "config.jsonc", "config.yaml"] as const;

/** Toolgate's own files in a project; of one folder an earlier one wins. */
export const nativeProjectFiles: readonly NativeProjectFile[] = [
  ...CONFIG_NAMES.map((name) => ({ path: `.toolgate/${name}` })),
  { path: ".toolgate/mcp.json", serversOnly: true },
  { path: ".toolgaterc", format: "any" },
  { path: ".toolgaterc.json" },
  { path: ".toolgaterc.yaml" },
  { path: "package.json", key: "toolgate" },
];

/** Folders of the user's own configuration; an earlier one wins. */
function nativeUserFolders(places: Places): string[] {
  if (places.platform === "win32") return [places.join(places.applicationData, "toolgate")];
  const folders = [places.join(places.configHome, "toolgate")];
  if (places.platform === "darwin") folders.push(places.join(places.applicationData, "toolgate"));
  return folders;
}

/** The user's own files; an earlier one wins. */
export function nativeUserFiles(places: Places): string[] {
  return nativeUserFolders(places).flatMap((folder) => CONFIG_NAMES.map((name) => places.join(folder, name)));
}
