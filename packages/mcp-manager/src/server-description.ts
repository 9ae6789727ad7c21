import type { ProtocolEra, SourceMeta, StartDurations, ToolgateError, TransportType } from "@toolgate/contracts";

import type { ReconnectDescription } from "./reconnect-policy.ts";

/** How a server stands, for people. `getConnectionStatus` knows the first three only. */
export type ServerStatus = "connected" | "connecting" | "disconnected" | "failed" | "needs-approval" | "needs-auth";

/** What a server that is not ready yet is doing. `queued` waits for its turn to boot. */
export type ServerPhase = "queued" | "spawning" | "initializing" | "listing";

/** When each step of a server's start happened, in milliseconds since `connectServers` was called. */
export interface ServerTimeline {
  /** The start left the queue. */
  startedAt?: number;
  /** The process was spawned; equal to `startedAt` for a remote server. */
  spawnedAt?: number;
  /** `initialize` was answered. */
  initializedAt?: number;
  /** The last page of tools had arrived. */
  listedAt?: number;
  /** The start ended, well or not. */
  endedAt?: number;
}

/** Everything that can be said about one server. Holds no secret. */
export interface ServerDescription {
  name: string;
  status: ServerStatus;
  phase?: ServerPhase;
  transport: TransportType;
  source?: SourceMeta;
  /** How many tools it offers now, from the cache or live. */
  tools: number;
  /** Whether its tools come from the cache, since the server has not listed them yet. */
  cached: boolean;
  /** When the cached tools were listed, in milliseconds since 1970. */
  cachedAt?: number;
  timeline: ServerTimeline;
  /** Milliseconds of its last start, time in the queue not counted. */
  durationMs?: number;
  durations?: StartDurations;
  error?: ToolgateError;
  /** How its automatic reconnecting stands; absent with the policy `manual`. */
  reconnect?: ReconnectDescription;
  /** The end of what its process wrote to stderr, secrets masked. */
  stderr: string;
  pid?: number;
  protocolVersion?: string;
  era?: ProtocolEra;
  serverInfo?: { name: string; version: string; title?: string };
  instructions?: string;
}
