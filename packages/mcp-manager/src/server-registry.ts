import type {
  CacheEntry,
  MCPServerConfig,
  MCPToolDefinition,
  ProtocolEra,
  SourceMeta,
  StartDurations,
  ToolgateError,
} from "@toolgate/contracts";
import type { MCPServerConnection } from "@toolgate/mcp-client";

import type { ReadyServer } from "./deferred-mcp-tool.ts";
import type { ConfigEntry } from "./load-configs.ts";
import { RemovalLog } from "./removal-log.ts";
import type { ServerPhase, ServerTimeline } from "./server-description.ts";

/** One start of one server. A newer start, or a disconnect, replaces it: whatever it still does then counts for nothing. */
export interface ServerStart {
  readonly name: string;
  /** The unresolved config. */
  readonly config: MCPServerConfig;
  /** What discovery says beside the config; may be told anew while the server is kept. */
  entry: ConfigEntry;
  /** Ends the start; aborted by a disconnect. */
  readonly controller: AbortController;
  /** The clock's time that the timeline counts from. */
  readonly origin: number;
  readonly timeline: ServerTimeline;
  phase: ServerPhase | undefined;
  /** The checks before anything is run; rejects when the server must not be started. */
  approval: Promise<void>;
  /** Whether it may be started; undefined while nobody has said so. */
  approved: boolean | undefined;
  /** The end of the process that the server had before; nothing is run until then. */
  predecessor: Promise<void> | undefined;
  /** What the cache had; undefined while it has not answered. */
  cached: CacheEntry | null | undefined;
  /** The protocol era that the server spoke the last time; never rejects. */
  rememberedEra: Promise<ProtocolEra | undefined> | undefined;
  /** Whether the tools in hand were listed by this start. */
  toolsAreLive: boolean;
  /** What the server listed last, with what its filters leave out. */
  listedTools: readonly MCPToolDefinition[];
  /** Whether `connectServers` has returned, so that what happens now is news. */
  startupHasReturned: boolean;
  durations: StartDurations | undefined;
  error: ToolgateError | undefined;
  /** What is wrong with the list of its tools, one sentence each; the others of it can be used. */
  warnings: string[];
  /** The end of stderr of a server whose connection is gone. */
  stderr: string;
  /** The connection and the first list of tools; rejects with the server's error. */
  ready: Promise<ReadyServer>;
  /** Resolves when `ready` has been dealt with; never rejects. */
  settled: Promise<void>;
}

/** What the three public states of a connection are derived from. */
export type ConnectionStatus = "connected" | "connecting" | "disconnected";

/**
 * The synchronous state of all servers. It never waits and starts nothing; status is always derived from it.
 *
 * Invariants: every key of the maps of connections and pending work is a key of `starts`; a server is never in `connections` and in
 * `pendingConnections` at once.
 */
export class ServerRegistry {
  readonly starts: Map<string, ServerStart> = new Map();
  readonly connections: Map<string, MCPServerConnection> = new Map();
  readonly pendingConnections: Map<string, Promise<MCPServerConnection>> = new Map();
  readonly pendingToolLoads: Map<string, Promise<ReadyServer>> = new Map();
  readonly sources: Map<string, SourceMeta> = new Map();
  /** What servers want the model to know, as it belongs to the tools that are listed of them. */
  readonly instructions: Map<string, string> = new Map();
  /** Ends that are under way, of servers that were removed or are started again. */
  readonly endings: Map<string, Promise<void>> = new Map();
  readonly removals: RemovalLog = new RemovalLog();

  /** Whether a start is still the one that counts for its server. */
  isCurrent(start: ServerStart): boolean {
    return this.starts.get(start.name) === start;
  }

  /** The open connection of a server; one that has closed counts as absent, whoever closed it. */
  openConnection(name: string): MCPServerConnection | undefined {
    const connection = this.connections.get(name);
    return connection?.closeReason === undefined ? connection : undefined;
  }

  statusOf(name: string): ConnectionStatus {
    if (this.openConnection(name) !== undefined) return "connected";
    if (this.pendingConnections.has(name) || this.pendingToolLoads.has(name)) return "connecting";
    return "disconnected";
  }

  /** Makes a start the one that counts. */
  begin(start: ServerStart, connecting: Promise<MCPServerConnection>): void {
    this.connections.delete(start.name);
    this.pendingToolLoads.delete(start.name);
    this.starts.set(start.name, start);
    this.pendingConnections.set(start.name, connecting);
  }

  /** Notes that a start has its connection. */
  connected(start: ServerStart, connection: MCPServerConnection): void {
    this.pendingConnections.delete(start.name);
    this.connections.set(start.name, connection);
  }

  /** Notes that a start has come to its end, well or not. */
  ended(start: ServerStart): void {
    if (!this.isCurrent(start)) return;
    this.pendingConnections.delete(start.name);
    this.pendingToolLoads.delete(start.name);
  }

  /** Takes a server's connection and pending work off, for a start that replaces this one. */
  detach(name: string): MCPServerConnection | undefined {
    const connection = this.connections.get(name);
    for (const map of [this.connections, this.pendingConnections, this.pendingToolLoads]) map.delete(name);
    return connection;
  }

  /** Keeps an end in mind until it is done. */
  ending(name: string, end: Promise<void>): void {
    this.endings.set(name, end);
    const forget = (): void => {
      if (this.endings.get(name) === end) this.endings.delete(name);
    };
    void end.then(forget, forget);
  }

  /** Notes what a server wants the model to know from now on; nothing takes the former away. */
  instruct(name: string, instructions: string | undefined): void {
    if (instructions === undefined) this.instructions.delete(name);
    else this.instructions.set(name, instructions);
  }

  /** Forgets a server altogether and returns what has to be closed. */
  remove(name: string): { start: ServerStart | undefined; connection: MCPServerConnection | undefined } {
    const removed = { start: this.starts.get(name), connection: this.connections.get(name) };
    const { starts, connections, pendingConnections, pendingToolLoads, sources, instructions } = this;
    for (const map of [starts, connections, pendingConnections, pendingToolLoads, sources, instructions]) {
      map.delete(name);
    }
    this.removals.remove(name);
    return removed;
  }
}
