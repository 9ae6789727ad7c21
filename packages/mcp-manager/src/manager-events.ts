import type { AgentTool, ToolgateError } from "@toolgate/contracts";
import type { LoggingLevel } from "@toolgate/mcp-client";

import type { ServerPhase, ServerStatus } from "./server-description.ts";

/** What a manager tells its subscribers. Listeners are called synchronously and must not throw. */
export type MCPManagerEvent =
  /** A server's status or phase changed. */
  | { type: "server-status"; server: string; status: ServerStatus; phase?: ServerPhase }
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

/** Receives the events of one manager. */
export type MCPManagerListener = (event: MCPManagerEvent) => void;
