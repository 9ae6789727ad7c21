/**
 * Whose configuration an entry came from. For one name the order is `runtime`, `project`, `user`, `system`:
 * what is passed in code or by a flag wins over every file.
 */
export type SourceLevel = "user" | "project" | "system" | "runtime";

/** Where a configuration entry was found. Kept beside the entry for labels, precedence and error messages. */
export interface SourceMeta {
  /** Id of the provider that read the entry, for example `cursor`. */
  provider: string;
  /** The product's own name for that provider, for example `Cursor`. */
  providerName: string;
  /** Absolute path of the file, or a label in angle brackets where there is no file, for example `<runtime>`. */
  path: string;
  level: SourceLevel;
  /** What lies between the file and the entry, for example the profile or the file that imported it. */
  origin?: string;
}
