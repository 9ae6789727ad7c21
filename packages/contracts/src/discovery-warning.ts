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
}
