import type { MCPServerConfig } from "./server-config.ts";
import type { SourceMeta } from "./source-meta.ts";

/** A value or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/** The servers on their way from discovery to the manager; both maps have the same keys, the server names. */
export interface DiscoveredConfigs {
  configs: Record<string, MCPServerConfig>;
  sources: Record<string, SourceMeta>;
  /** API keys that filters took out for native tools. */
  exaApiKeys?: string[];
}

/**
 * Takes servers out, or changes them, before anything is started.
 *
 * Contract: runs also when nothing was found; returns new maps rather than changing its input. A filter that throws
 * makes the whole discovery fail, so that a broken filter never lets through what it should have stopped.
 */
export interface ConfigFilter {
  readonly name: string;
  apply(input: DiscoveredConfigs): MaybePromise<DiscoveredConfigs>;
}
