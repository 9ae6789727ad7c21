import type { ClientCapabilities } from "./client-capabilities.ts";
import type { MCPServerConfig } from "./server-config.ts";
import type { MCPToolDefinition } from "./tool-definition.ts";

/** Which revision family a server speaks: `legacy` up to 2025-11-25 (initialize), `modern` from 2026-07-28. */
export type ProtocolEra = "legacy" | "modern";

/** Milliseconds of each step of a server's last start. */
export interface StartDurations {
  /** From the start of the process to a spawned child; 0 for remote servers. */
  spawn: number;
  /** From there to the answer to `initialize`. */
  initialize: number;
  /** From there to the end of the last `tools/list` page. */
  list: number;
}

/** What is remembered about one server. */
export interface CacheEntry {
  tools: MCPToolDefinition[];
  /** When the tools were listed, in milliseconds since 1970. */
  fetchedAt: number;
  era?: ProtocolEra;
  /** What the server wants the model to know, as it said it together with these tools. */
  instructions?: string;
  durations?: StartDurations;
}

/** What else an entry depends on beside server and config. */
export interface CacheContext {
  clientCapabilities?: ClientCapabilities;
}

/** One lookup of {@link ToolCache.getMany}. */
export interface CacheRequest {
  server: string;
  /** The unresolved config, see {@link ToolCache}. */
  config: MCPServerConfig;
  context?: CacheContext;
}

/**
 * The port through which the manager remembers tools between sessions.
 *
 * `config` is the unresolved one: after the client's own variable expansion, before `!command` and auth. Contract: a
 * failing or damaged store is a miss or a lost write, never an exception that a caller must handle; an entry that is too
 * old is a miss; `set` may be called by many processes at once.
 */
export interface ToolCache {
  get(server: string, config: MCPServerConfig, context?: CacheContext): Promise<CacheEntry | null>;
  set(server: string, config: MCPServerConfig, entry: CacheEntry, context?: CacheContext): Promise<void>;
  /** Answers in the order of the requests. Optional: the manager falls back to `get`. */
  getMany?(requests: readonly CacheRequest[]): Promise<(CacheEntry | null)[]>;
}
