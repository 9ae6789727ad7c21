import type { AgentTool, ToolResult } from "@toolgate/contracts";

/** A tool call that a model asks for. */
export interface ModelToolCall {
  /** Unique within a conversation; the result is sent back under it. */
  id: string;
  /** Name of one of the tools that were offered, or what the model took for one. */
  name: string;
  arguments: Record<string, unknown>;
}

/** One message of a conversation. Every tool call is followed by exactly one result. */
export type ModelMessage =
  | { role: "user"; content: string }
  | { role: "assistant"; content: string; toolCalls: ModelToolCall[] }
  | { role: "tool"; toolCallId: string; toolName: string; result: ToolResult };

/** Tokens that a model counted for one answer. */
export interface ModelUsage {
  inputTokens?: number;
  outputTokens?: number;
}

/** What a model gives while it answers. */
export type ModelEvent =
  /** A piece of the answer's text. */
  | { type: "text"; text: string }
  /** A complete tool call. The session runs it once the answer has ended. */
  | { type: "tool-call"; call: ModelToolCall }
  /** Tokens of this answer. */
  | { type: "usage"; usage: ModelUsage };

/** What a model is asked. */
export interface ModelRequest {
  messages: readonly ModelMessage[];
  /** The active tools; a model may call these and no others. */
  tools: readonly AgentTool[];
  signal: AbortSignal;
}

/**
 * The port to a language model: one request, one answer as a stream. The loop around it is the session's.
 *
 * Contract: an answer with tool calls ends after the last of them and is continued by a further request that has their
 * results; a failure is a rejection of the iteration, whose message is for people and holds no secret; an aborted signal
 * ends the iteration soon.
 */
export interface AgentModel {
  /** For people, for example `anthropic/claude-sonnet`. */
  readonly id: string;
  respond(request: ModelRequest): AsyncIterable<ModelEvent>;
}
