import type { AgentTool, ToolgateError, TransportType } from "@toolgate/contracts";
import type { LoggingLevel } from "@toolgate/mcp-client";

import type { ServerPhase, ServerStatus } from "./server-description.ts";

/**
 * What has just happened to a server.
 *
 * - `queued`: its start has begun; it waits for its checks and its turn.
 * - `spawned`: its process runs; of a remote server: it is being dialled.
 * - `initialized`: it has answered `initialize`.
 * - `listed`: the last page of its tools has arrived.
 * - `ready`: its tools are in the list; the start has ended well.
 * - `failed`: the start has ended with an error.
 * - `dropped`: a server that was ready has gone by itself.
 * - `closed`: it was ended on purpose, and its whole process tree is gone.
 */
export type ServerStep = "queued" | "spawned" | "initialized" | "listed" | "ready" | "failed" | "dropped" | "closed";

/** When an event was emitted. */
export interface EventTime {
  /** Milliseconds since the manager was made; differences between events are exact. */
  at: number;
  /** Milliseconds since 1970, for logs. */
  time: number;
}

/** One step in the life of a server. */
export interface ServerStepEvent {
  type: "server-step";
  server: string;
  transport: TransportType;
  step: ServerStep;
  /**
   * Milliseconds that came to their end with this step: `spawned` the spawn, `initialized` the handshake, `listed` the
   * list, `ready` and `failed` the whole start with its time in the queue.
   */
  durationMs?: number;
  /** With `ready`: how many tools the server offers, filtered ones not counted. */
  tools?: number;
  /** With `failed` and `dropped`. */
  error?: ToolgateError;
}

/** An event before it is known when it is emitted. */
export type UntimedEvent =
  /** A server's status or phase changed. */
  | { type: "server-status"; server: string; status: ServerStatus; phase?: ServerPhase }
  /** A server has come a step further; steps of one server come in order. */
  | ServerStepEvent
  /** The merged tool list changed after the startup had returned; `tools` is the new list. */
  | { type: "tools-changed"; server?: string; tools: AgentTool[] }
  /** A server failed after the startup had returned. */
  | { type: "late-error"; server: string; error: ToolgateError }
  /** A server says that its list of resources changed; often repeated changes are told of once. */
  | { type: "resources-changed"; server: string }
  /** A server says that its list of prompts changed; often repeated changes are told of once. */
  | { type: "prompts-changed"; server: string }
  /** A resource that was subscribed to changed, or a part of it. */
  | { type: "resource-updated"; server: string; uri: string }
  /** A server logged something; `data` is any JSON value, without the secrets of the server's entry. */
  | { type: "server-log"; server: string; level: LoggingLevel; logger?: string; data: unknown }
  /** The startup gate fell, or everything had settled before it; `pending` names the servers that were not ready. */
  | { type: "gate"; elapsedMs: number; pending: string[] };

/** What a manager tells its subscribers, and when it was. Listeners are called synchronously and must not throw. */
export type MCPManagerEvent = UntimedEvent & EventTime;

/** Receives the events of one manager. */
export type MCPManagerListener = (event: MCPManagerEvent) => void;
