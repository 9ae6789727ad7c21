import type { ContentBlock } from "./content-block.ts";
import type { ToolParameters } from "./json-schema.ts";
import type { ToolAnnotations } from "./tool-definition.ts";
import type { ErrorCode } from "./toolgate-error.ts";

/** A tool that an agent can offer to its model, whatever stands behind it. */
export interface AgentTool {
  /** Unique among the tools of a session; `[a-zA-Z0-9_-]`, at most 64 characters. */
  readonly name: string;
  /** Short name for people. */
  readonly label: string;
  /** What the model reads. Empty when the server gave none. */
  readonly description: string;
  readonly parameters: ToolParameters;
  readonly annotations?: ToolAnnotations;
  /**
   * Runs the tool.
   *
   * Contract: failures of the tool, its server or the transport are a result with `isError`; only an abort rejects,
   * with an error whose `name` is `AbortError`.
   */
  execute(args: Record<string, unknown>, context?: ToolCallContext): Promise<ToolResult>;
}

/** What a caller may say about one call. */
export interface ToolCallContext {
  /** The model's id of the call, for logs and events. */
  toolCallId?: string;
  /** Cancels this call and nothing else. */
  signal?: AbortSignal;
  /** Milliseconds without progress before the call is given up. Default: the server's own `timeout`. */
  timeout?: number;
  /** Called for each progress notification of this call. Must not throw. */
  onProgress?(progress: ToolProgress): void;
}

/** How far a running call has got. */
export interface ToolProgress {
  progress: number;
  total?: number;
  message?: string;
}

/** What a call gave. */
export interface ToolResult {
  content: ContentBlock[];
  /** True when the tool itself, its server or the transport failed. */
  isError: boolean;
  /**
   * The same answer as a value, for programs. A model reads `content` alone, which never lacks what stands here: servers
   * repeat the value as text, and a model that got both would read everything twice.
   */
  structuredContent?: unknown;
  details: ToolResultDetails;
}

/** Facts about a call beside its content. */
export interface ToolResultDetails {
  /** Name of the server; absent for native tools. */
  server?: string;
  /** The server's own name of the tool. */
  tool: string;
  /** Milliseconds from the call to its result, waiting included. */
  durationMs: number;
  /** Provider id and name of the server's source, when known. */
  provider?: string;
  providerName?: string;
  /** Set when a transport or protocol error became this result. */
  errorCode?: ErrorCode;
  /**
   * Set when the server dropped during the call and the call was sent to its next process as well; this happens only with
   * tools that are annotated read-only or idempotent.
   */
  replayed?: boolean;
  /** The protocol result's `_meta`, as sent. */
  meta?: Record<string, unknown>;
  /** Set when text was cut: bytes in UTF-8 that were left out, and the file that holds the whole text, if it was kept. */
  truncated?: { omittedBytes: number; file?: string };
}
