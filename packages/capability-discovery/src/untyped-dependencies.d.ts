declare module "proper-lockfile" {
  /** Locks a file by a folder beside it. */
  export function lock(
    file: string,
    options: {
      realpath: boolean;
      stale: number;
      retries: { retries: number; factor: number; minTimeout: number; maxTimeout: number; randomize: boolean };
    },
  ): Promise<() => Promise<void>>;
}

declare module "write-file-atomic" {
  /** Writes a file beside its target and renames it. Keeps mode and owner of the target. */
  export default function writeFileAtomic(file: string, data: string, options: { mode?: number }): Promise<void>;
}
