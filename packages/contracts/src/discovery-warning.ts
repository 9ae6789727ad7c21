/**
 * What a warning is about, for programs that explain it:
 * - `unusable-file`: the file cannot be read or does not parse; nothing of it is used
 * - `misplaced-servers`: servers stand under a key (`subject`) that this client does not read; it reads `expected`
 * - `invalid-entry`: an entry is left out
 * - `untyped-url`: an entry is left out because it has an address and no type, which this client refuses
 * - `misspelt-field`: a field (`subject`) is not read; the client calls it `expected`
 * - `unset-variable`: a reference names an environment variable (`subject`) that is not set
 * - `unreadable-reference`: a reference names a file (`subject`) that cannot be read
 * - `missing-env-file`: the `envFile` (`subject`) of an entry cannot be read
 */
export type DiscoveryWarningKind =
  | "unusable-file"
  | "misplaced-servers"
  | "invalid-entry"
  | "untyped-url"
  | "misspelt-field"
  | "unset-variable"
  | "unreadable-reference"
  | "missing-env-file";

/** Something in a configuration that could not be used, beside everything that could. */
export interface DiscoveryWarning {
  /** Absolute path of the file. */
  path: string;
  /** One sentence; names the entry where there is one. Holds no secret. */
  message: string;
  /** 1-based, where the format has positions. */
  line?: number;
  /** 1-based, where the format has positions. */
  column?: number;
  /** Id of the provider that read the file. */
  provider?: string;
  server?: string;
  kind?: DiscoveryWarningKind;
  /** The key, field, variable or file that the warning is about; see {@link DiscoveryWarningKind}. */
  subject?: string;
  /** The key or field that the client reads. */
  expected?: string;
}
