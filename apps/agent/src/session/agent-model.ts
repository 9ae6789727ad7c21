import type { AgentTool, ContentBlock, ToolResult } from "@toolgate/contracts";

/** A tool call that a model asks for. */
export interface ModelToolCall {
  /** Unique within a conversation; the result is sent back under it. */
  id: string;
  /** Name of one of the tools that were offered, or what the model took for one. */
  name: string;
  arguments: Record<string, unknown>;
  /** Why the call cannot be run although the model asked for it, for the model to read. @default it can */
  problem?: string;
}

/** What a provider wants to get back word for word with the next request, for example signed reasoning. */
export interface ModelReplay {
  /** Id of the model that gave it; nothing for another one. */
  model: string;
  /** Opaque to everybody else. JSON. */
  content: unknown;
}

/** What a person says. */
export interface UserMessage {
  role: "user";
  content: string;
  /** What goes with it, for example a resource of a server or an image. @default nothing */
  attachments?: readonly ContentBlock[];
}

/** One message of a conversation. Every tool call is followed by exactly one result. */
export type ModelMessage =
  | UserMessage
  | { role: "assistant"; content: string; toolCalls: ModelToolCall[]; replay?: ModelReplay }
  | { role: "tool"; toolCallId: string; toolName: string; result: ToolResult };

/** Tokens that a model counted for one answer. */
export interface ModelUsage {
  /** All of the request, those from the provider's cache included. */
  inputTokens?: number;
  /** Those of {@link inputTokens} that the provider had cached. */
  cachedInputTokens?: number;
  outputTokens?: number;
  /** By the prices in the settings; absent without any for this model. */
  cost?: { amount: number; currency: string };
}

/** What a model gives while it answers. */
export type ModelEvent =
  /** A piece of the answer's text. */
  | { type: "text"; text: string }
  /** A piece of what the model thinks before it answers, where a provider shows it. No part of the answer. */
  | { type: "reasoning"; text: string }
  /** What people should know although the answer goes on: a tool that is left out, a further try. */
  | { type: "warning"; message: string }
  /** At most one per answer: comes back in the assistant message of the next request. */
  | { type: "replay"; replay: ModelReplay }
  /** A complete tool call. The session runs it once the answer has ended. */
  | { type: "tool-call"; call: ModelToolCall }
  /** Tokens of this answer. */
  | { type: "usage"; usage: ModelUsage }
  /** Why the answer ended, where the model says so; after everything but `replay`. */
  | { type: "finish"; reason: ModelFinishReason };

/** Why an answer ended: by itself, at the most tokens it may have, for its tool calls, held back, or otherwise. */
export type ModelFinishReason = "stop" | "length" | "tool-calls" | "content-filter" | "other";

/** What a model is asked. */
export interface ModelRequest {
  messages: readonly ModelMessage[];
  /** The active tools; a model may call these and no others. */
  tools: readonly AgentTool[];
  signal: AbortSignal;
  /** What stands above the conversation. @default nothing */
  system?: string;
  /** The most tokens that the answer may have. @default the provider's own limit */
  maxOutputTokens?: number;
  /** How much chance there is in the answer, on the provider's own scale. @default the provider's own */
  temperature?: number;
  /** Texts at which the answer ends. @default none */
  stopSequences?: readonly string[];
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
  /** What the text of its answers is, for whoever shows it. @default "markdown" */
  readonly textFormat?: "markdown" | "plain";
  respond(request: ModelRequest): AsyncIterable<ModelEvent>;
}
