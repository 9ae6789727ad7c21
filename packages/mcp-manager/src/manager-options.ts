import type {
  AgentTool,
  ClientCapabilities,
  Logger,
  MaybePromise,
  MCPServerConfig,
  SourceMeta,
  ToolCache,
  ToolgateError,
} from "@toolgate/contracts";
import type { AuthorizationOptions, connectToServer, ObservedMessage } from "@toolgate/mcp-client";

import type { Clock } from "./clock.ts";
import type { HostHandlers } from "./host-handlers.ts";
import type { ConfigEntry, LoadConfigsOptions } from "./load-configs.ts";
import type { OutputLimits } from "./output-limits.ts";
import type { ReconnectPolicy } from "./reconnect-policy.ts";

/** Asked before a server is started for the first time in a manager. */
export interface ApprovalRequest {
  name: string;
  /** The unresolved config. */
  config: MCPServerConfig;
  source?: SourceMeta;
  /** The entry as it is written in its file, for a hash that an edit changes. */
  definition?: unknown;
}

/**
 * Gives the credential of a remote server that has none in its entry.
 *
 * Contract: a rejection is that server's error and nobody else's; the token is used for this connection and not kept.
 */
export interface AuthStorage {
  getToken(request: { server: string; url: string }): MaybePromise<string | undefined>;
}

/** What {@link MCPManager.connectServers} may be told for one call. */
export interface ConnectServersOptions {
  /**
   * Milliseconds after which the call returns with what is there, counted from the call. `0` awaits nothing but the
   * cache, `Infinity` awaits all. @default 250
   */
  startupTimeoutMs?: number;
  /**
   * What happens at the gate with a server that is neither ready nor cached: `wait` for it, or `defer` it, so that its
   * tools arrive late. @default "wait"
   */
  uncachedPending?: "wait" | "defer";
  /** What discovery knows beside the config, by server name. */
  entries?: Record<string, ConfigEntry>;
}

/** Options of a manager. Those of `loadAllMCPConfigs` are used by {@link MCPManager.discoverAndConnect}. */
export interface MCPManagerOptions extends LoadConfigsOptions, HostHandlers, Omit<ConnectServersOptions, "entries"> {
  /** Remembers tools between sessions. @default none: nothing is cached */
  toolCache?: ToolCache;
  /** What happens after a server has dropped. @default "manual" */
  reconnect?: ReconnectPolicy;
  /** Returns whether a server may be started; a refusal is its `NOT_TRUSTED` error. @default everything may */
  approve?(request: ApprovalRequest): MaybePromise<boolean>;
  /** Gives the token of a remote server without a credential of its own; for hosts that sign in themselves. @default none */
  authStorage?: AuthStorage;
  /**
   * How remote servers are signed in to, and where sign-ins are kept; used for servers that `approve` has let through.
   *
   * @default none: a server that wants a sign-in fails with `AUTH_REQUIRED`
   */
  authorization?: AuthorizationOptions;
  /** @default silent */
  logger?: Logger;
  /** Looks on at every message between this host and a server, for logs. Must not throw. @default nobody looks on */
  onMessage?(server: string, message: ObservedMessage): void;
  /** @default the process's own clock */
  clock?: Clock;
  /** How this host introduces itself to servers. @default { name: "toolgate", version } */
  clientInfo?: { name: string; version: string };
  /** What this host declares to servers. @default {} */
  clientCapabilities?: ClientCapabilities;
  /** Declares the `roots` capability, and is answered to `roots/list`. @default none */
  roots?: { uri: string; name?: string }[];
  /** How much of a result is handed over; `false`: everything, however large. @default see {@link OutputLimits} */
  outputLimits?: OutputLimits | false;
  /** How many stdio servers may boot at once. @default the number of processors */
  maxConcurrentStarts?: number;
  /** Directory for `NODE_COMPILE_CACHE` of children, or `false`. @default see mcp-client */
  compileCacheDirectory?: string | false;
  /** Whether SIGINT, SIGTERM and SIGHUP end the servers and then the process. @default false: that is the app's */
  handleSignals?: boolean;
  /**
   * The port to the servers: how a connection is made.
   *
   * Contract: as `connectToServer` of `@toolgate/mcp-client`; above all it ends what it has started before it rejects, and
   * it rejects when its signal aborts.
   *
   * @default connectToServer
   */
  connect?: typeof connectToServer;
  /** Used by remote servers. @default the global fetch */
  fetch?: typeof globalThis.fetch;
}

/** What a start gave. Failures are data: one server's error never hides another one's tools. */
export interface MCPLoadResult {
  /** All tools of the manager, sorted by name. */
  tools: AgentTool[];
  /** Why servers of this call failed, by server name. A server that is only slow is not in it. */
  errors: Map<string, ToolgateError>;
  /** Names of the servers of this call that are connected, sorted. */
  connectedServers: string[];
  /** Keys of Exa servers that were taken out. */
  exaApiKeys: string[];
}
