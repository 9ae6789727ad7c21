import type { ErrorCode, ToolProgress, ToolResult } from "@toolgate/contracts";

import type { ModelToolCall, ModelUsage } from "./agent-model.ts";

/** What a session tells while it works on a prompt. The last event is `done` or `error`. */
export type AgentEvent =
  /** A piece of the answer. */
  | { type: "text"; text: string }
  /** A piece of the model's reasoning, where its provider shows it. */
  | { type: "reasoning"; text: string }
  /** What people should know; the prompt goes on. */
  | { type: "warning"; message: string }
  /**
   * The first request waits for these servers, since nobody knows their tools yet; what is late joins a later turn. The
   * waiting has ended when there are none.
   */
  | { type: "waiting"; servers: string[] }
  /** A tool is about to run. */
  | { type: "tool-call"; call: ModelToolCall }
  | { type: "tool-progress"; toolCallId: string; progress: ToolProgress }
  /** A tool has ended, well or not; results come in the order in which tools end. */
  | { type: "tool-result"; toolCallId: string; toolName: string; result: ToolResult }
  | { type: "usage"; usage: ModelUsage }
  /** The prompt failed as a whole: there is no model, or it failed. `message` is for people. */
  | { type: "error"; message: string; code?: ErrorCode }
  /** The prompt is answered; `limit` means that the model wanted to go on after the last step. */
  | { type: "done"; reason: "answered" | "limit"; steps: number };
