import type { ContentBlock } from "@toolgate/contracts";

/** What a handler learns beside the request itself. */
export interface HandlerContext {
  /** Aborts when the server takes its request back, and when the connection ends. */
  signal: AbortSignal;
}

/**
 * Answers a request that a server sends to its client.
 *
 * Contract: what it returns becomes the result. What it throws becomes a JSON-RPC error: an error with a whole number as its
 * `code` is sent with this code, its message and its `data`; of any other the server learns that it failed, and the
 * connection's logger why.
 */
export type ServerRequestHandler = (
  params: Record<string, unknown>,
  context: HandlerContext,
) => Promise<Record<string, unknown>> | Record<string, unknown>;

/** What a server wants a model of the host to answer (`sampling/createMessage`). */
export interface SamplingRequest {
  messages: { role: "user" | "assistant"; content: ContentBlock | ContentBlock[] }[];
  /** The most tokens that the answer may have. */
  maxTokens: number;
  systemPrompt?: string;
  temperature?: number;
  stopSequences?: string[];
  /** Wishes about the model; the host decides. */
  modelPreferences?: Record<string, unknown>;
  /** Everything else that the revision of the server knows, such as `tools`. */
  [field: string]: unknown;
}

/** What a model answered. */
export interface SamplingResult {
  /** Name of the model. */
  model: string;
  role: "assistant" | "user";
  content: Record<string, unknown> | Record<string, unknown>[];
  /** `endTurn`, `stopSequence`, `maxTokens` or the model's own word. */
  stopReason?: string;
  [field: string]: unknown;
}

/** Lets a model answer a server. Contract: as {@link ServerRequestHandler}; a person should see what is asked for. */
export type SamplingHandler = (
  request: SamplingRequest,
  context: HandlerContext,
) => Promise<SamplingResult> | SamplingResult;

/** What a server wants a person to fill in (`elicitation/create`, form mode). */
export interface FormElicitation {
  mode: "form";
  /** Why it asks, for the person. */
  message: string;
  /** A flat object schema: texts, numbers, choices, yes or no. */
  requestedSchema: Record<string, unknown>;
}

/** A page that a server wants a person to open (`elicitation/create`, URL mode). Show the address before it is opened. */
export interface UrlElicitation {
  mode: "url";
  message: string;
  /** An `http` or `https` address. */
  url: string;
  /** Comes again in `notifications/elicitation/complete`. */
  elicitationId?: string;
}

/** What the person said: `content` goes with an accepted form only. */
export interface ElicitationResult {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, string | number | boolean | string[]>;
}

/** Asks a person for a server; what is given is declared. Contract of each: as {@link ServerRequestHandler}. */
export interface ElicitationHandlers {
  form?: (request: FormElicitation, context: HandlerContext) => Promise<ElicitationResult> | ElicitationResult;
  url?: (request: UrlElicitation, context: HandlerContext) => Promise<ElicitationResult> | ElicitationResult;
}
