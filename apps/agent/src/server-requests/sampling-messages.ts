import type { ContentBlock } from "@toolgate/contracts";
import { isRecord } from "@toolgate/contracts";
import type { SamplingRequest } from "@toolgate/mcp-client";

import type { ModelMessage } from "../session/agent-model.ts";
import { RequestRefusal } from "./request-refusal.ts";

/** Messages of one request. */
const MAX_MESSAGES = 200;
/** Characters of all texts of one request, the system prompt included. */
const MAX_TEXT = 200_000;
/** Characters of all images of one request, in base64. */
const MAX_MEDIA = 15_000_000;

/** One message of a server for the model, with its content as a list. */
export interface SamplingMessage {
  role: "user" | "assistant";
  content: readonly ContentBlock[];
}

/**
 * Reads the messages of a request, whose size is limited.
 *
 * @throws RequestRefusal for what was not declared (tools), is no message, or is too large
 */
export function readSamplingMessages(request: SamplingRequest): SamplingMessage[] {
  if (Array.isArray(request["tools"]) && request["tools"].length > 0) {
    throw new RequestRefusal("invalid", "Tools in sampling are not supported by this client.");
  }
  if (!Number.isSafeInteger(request.maxTokens) || request.maxTokens < 1) {
    throw new RequestRefusal("invalid", '"maxTokens" is not a positive whole number.');
  }
  const { systemPrompt = "", temperature = 0, stopSequences = [] }: Record<string, unknown> = request;
  const isText = (value: unknown): value is string => typeof value === "string";
  if (!isText(systemPrompt) || typeof temperature !== "number") {
    throw new RequestRefusal("invalid", '"systemPrompt" or "temperature" is of the wrong type.');
  }
  if (!Array.isArray(stopSequences) || !stopSequences.every(isText)) {
    throw new RequestRefusal("invalid", '"stopSequences" is not a list of texts.');
  }
  const given: readonly unknown[] = request.messages;
  if (given.length === 0) throw new RequestRefusal("invalid", '"messages" is empty.');
  if (given.length > MAX_MESSAGES)
    throw new RequestRefusal("invalid", `"messages" has more than ${MAX_MESSAGES} messages.`);
  const messages = given.map(readMessage);
  const blocks = messages.flatMap(({ content }) => content);
  checkSize("texts", [systemPrompt, ...stopSequences, ...blocks.map(textOf)], MAX_TEXT);
  checkSize("images", blocks.map(mediaOf), MAX_MEDIA);
  return messages;
}

/** The same messages for a model: what is no text goes with a user's message as its attachments. */
export function toModelMessages(messages: readonly SamplingMessage[]): ModelMessage[] {
  return messages.map(({ role, content }) => {
    const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
    if (role === "assistant") return { role, content: text, toolCalls: [] };
    const attachments = content.filter((block) => block.type !== "text");
    return { role, content: text, ...(attachments.length === 0 ? {} : { attachments }) };
  });
}

function readMessage(message: unknown): SamplingMessage {
  const { role, content }: Record<string, unknown> = isRecord(message) ? message : {};
  if (role !== "user" && role !== "assistant") throw new RequestRefusal("invalid", "A message has no usable role.");
  return { role, content: (Array.isArray(content) ? content : [content]).map((block) => readBlock(block, role)) };
}

/** What a person is shown and a model is given: texts, and with a user's message images. */
function readBlock(block: unknown, role: SamplingMessage["role"]): ContentBlock {
  if (isRecord(block)) {
    const { type, text, data, mimeType } = block;
    if (type === "text" && typeof text === "string") return { type, text };
    const isMedia = (type === "image" || type === "audio") && typeof data === "string" && typeof mimeType === "string";
    if (isMedia && role === "user") return { type, data, mimeType };
  }
  throw new RequestRefusal(
    "invalid",
    `A message of the role ${role} has content that is not supported by this client.`,
  );
}

function textOf(block: ContentBlock): string {
  return block.type === "text" ? block.text : "";
}

function mediaOf(block: ContentBlock): string {
  return block.type === "image" || block.type === "audio" ? block.data : "";
}

function checkSize(what: string, parts: readonly string[], limit: number): void {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  if (size > limit)
    throw new RequestRefusal("invalid", `The ${what} of the request have more than ${limit} characters.`);
}
