import type { ContentBlock, SourceMeta, ToolResult, ToolResultDetails } from "@toolgate/contracts";
import { messageOf, ToolgateError } from "@toolgate/contracts";
import type { ToolCallResult } from "@toolgate/mcp-client";

/** Who was called, for the details of a result. */
export interface CallSubject {
  server: string;
  tool: string;
  source: SourceMeta | undefined;
  /** When the call began, by the clock that `durationMs` is measured with. */
  startedAt: number;
  /** Whether the call was sent a second time, see {@link ToolResultDetails.replayed}. */
  replayed?: boolean;
}

/**
 * A server's answer as the result of an agent's tool; content is kept as sent, also when the tool says `isError`. Where it
 * says nothing beside a structured value, that value is the content, as JSON: a model reads content alone.
 */
export function createToolResult(answer: ToolCallResult, subject: CallSubject, now: number): ToolResult {
  return {
    content: readableContent(answer),
    isError: answer.isError,
    ...(answer.structuredContent === undefined ? {} : { structuredContent: answer.structuredContent }),
    details: { ...createDetails(subject, now), ...(answer._meta === undefined ? {} : { meta: answer._meta }) },
  };
}

/** A failure of transport, protocol or server as the result of an agent's tool. */
export function createErrorResult(error: unknown, subject: CallSubject, now: number): ToolResult {
  const details = createDetails(subject, now);
  if (ToolgateError.isInstance(error)) details.errorCode = error.code;
  return { content: [{ type: "text", text: `MCP error: ${messageOf(error)}` }], isError: true, details };
}

function readableContent({ content, structuredContent }: ToolCallResult): ContentBlock[] {
  const saysNothing = content.every((block) => block.type === "text" && block.text.trim() === "");
  if (structuredContent === undefined || !saysNothing) return content;
  return [{ type: "text", text: JSON.stringify(structuredContent) }];
}

/** Whether something that was thrown is an abort, which stays one. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

function createDetails({ server, tool, source, startedAt, replayed }: CallSubject, now: number): ToolResultDetails {
  return {
    server,
    tool,
    durationMs: Math.max(0, now - startedAt),
    ...(replayed === undefined ? {} : { replayed }),
    ...(source === undefined ? {} : { provider: source.provider, providerName: source.providerName }),
  };
}
