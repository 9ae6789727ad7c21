import type { ClientCapabilities, Logger, SourceMeta } from "@toolgate/contracts";

/** How a server is connected to. */
export interface ConnectOptions {
  /** Where the entry was found; errors name its file. */
  source?: SourceMeta;
  /** How this host introduces itself. @default { name: "toolgate", version: "0.0.0" } */
  clientInfo?: { name: string; version: string };
  /** What this host declares. @default {} */
  capabilities?: ClientCapabilities;
  /** Answered to `roots/list` when `capabilities.roots` is declared. @default none */
  roots?: readonly { uri: string; name?: string }[];
  /** Working directory of a child whose entry has no `cwd`. @default process.cwd() */
  cwd?: string;
  /** The host's environment, of which children get an allow-listed part. @default process.env */
  env?: Record<string, string | undefined>;
  /** @default silent */
  logger?: Logger;
  /** Gives up connecting; what was started is ended before the rejection. */
  signal?: AbortSignal;
  /** Used by remote servers. @default the global fetch */
  fetch?: typeof globalThis.fetch;
  /** Called when the child exists. */
  onSpawn?(pid: number): void;
  /**
   * Set as `NODE_COMPILE_CACHE` for children when neither the host nor the entry sets it, so that Node 22.1 and newer
   * start them faster from the second time on; `false` leaves it out.
   * @default `${XDG_CACHE_HOME or ~/.cache}/toolgate/compile-cache`
   */
  compileCacheDirectory?: string | false;
}
