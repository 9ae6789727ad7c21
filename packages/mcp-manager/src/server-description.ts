import type { ProtocolEra, SourceMeta, StartDurations, ToolgateError, TransportType } from "@toolgate/contracts";

import type { ReconnectDescription } from "./reconnect-policy.ts";

/** How a server stands, for people. `getConnectionStatus` knows the first three only. */
export type ServerStatus = "connected" | "connecting" | "disconnected" | "failed" | "needs-approval" | "needs-auth";

/** What a server that is not ready yet is doing. `queued` waits for its turn to boot. */
export type ServerPhase = "queued" | "spawning" | "initializing" | "listing";

/** Milliseconds that the steps of a start took; a step that has not come to its end has none. */
export interface ServerDurations extends Partial<StartDurations> {
  /** From the call that started it to its own start: checks, approval, the entry's commands and its place in the queue. */
  queue?: number;
}

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
  /** Tools of an earlier session stood in for it from then on. */
  cachedToolsAt?: number;
  /** The start ended, well or not. */
  endedAt?: number;
}

/** How a set of servers was started together. */
export interface StartupDescription {
  /** When it began, in milliseconds since 1970; timelines of its servers count from here. */
  time: number;
  /** After how many milliseconds the gate was to fall; absent when all servers were awaited. */
  gateMs?: number;
  /** After how many milliseconds it fell, or everything had settled before it; absent until then. */
  elapsedMs?: number;
  /** Which servers were not ready then. */
  pending?: string[];
  /** Names of all servers that were started, in the order of their configuration. */
  servers: string[];
}

/** Everything that can be said about one server. Can be written as JSON and holds no secret. */
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
  /** How old the cached tools are, in milliseconds. */
  cachedAgeMs?: number;
  timeline: ServerTimeline;
  /** Milliseconds of its last start, time in the queue not counted. */
  durationMs?: number;
  durations: ServerDurations;
  error?: ToolgateError;
  /** Tools that it lists and that cannot be used, and a list without an end; one sentence each. Its other tools are fine. */
  warnings: string[];
  /** Why it is not connected, for people: the message of `error`. */
  reason?: string;
  /** How its automatic reconnecting stands; absent with the policy `manual`. */
  reconnect?: ReconnectDescription;
  /** The end of what its process wrote to stderr, secrets masked. */
  stderr: string;
  pid?: number;
  protocolVersion?: string;
  era?: ProtocolEra;
  serverInfo?: { name: string; version: string; title?: string };
  instructions?: string;
  /** Length of the instructions in UTF-16 code units. */
  instructionsLength?: number;
}
